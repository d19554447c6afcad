// Every panel with every example and every odd document, at three sizes and two scales: nothing asserts, and
// no word or number is cut off at the side of its panel; and that a notice has room for its chips.
#include <doctest/doctest.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/canvas/notice.h"
#include "app/frame/layout.h"
#include "app/host/headless.h"
#include "app/program/input.h"
#include "app/widgets/chips.h"
#include "tests/app/odd_documents.h"
#include "tests/app/workspace_lab.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

const ImVec2 kPanelSizes[] = {{1600, 1000}, {1024, 640}, {2560, 1440}};
// Points: tables in a narrower inspector scroll sideways; a window as wide as this has room for one that is
// not.
constexpr float kInspector = 225, kRoomy = 800;

// Where the panels lie, which the canvas and the stage bar's chips are not part of: they scroll.
void check_panels(Headless& lab, float scale) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Layout layout = make_layout(size, make_theme(ThemeName::dark, scale, {}), lab.view().settings);
  check_whole(lab, layout.top, "the top bar");
  check_whole(lab, layout.controls, "the controls");
  const bool wide = layout.inspector.width() >= scale * kInspector;
  CHECK((wide || size.x < scale * kRoomy));
  if (wide) check_whole(lab, layout.inspector, "the inspector");
  const Rect words{{0, (layout.stages.min.y + layout.stages.max.y) / 2}, layout.stages.max};
  check_whole(lab, words, "the status line");
}

// A letter that its font lacks is drawn as U+FFFD.
void check_letters(const Headless& lab) {
  for (const DrawnText& text : drawn_texts(lab.draw_data())) {
    INFO(text.text);
    CHECK(text.text.find("\uFFFD") == std::string::npos);
  }
}

// The first and the last number of every stage, opened in the inspector.
void check_inspector(Headless& lab, float scale) {
  const Results& results = *lab.results();
  for (std::size_t i = 0; i < results.graph.stages.size(); ++i) {
    const Shape shape = results.outputs[i].shape();
    if (shape.size() == 0) continue;
    for (const Cell cell : {Cell{0, 0, 0}, Cell{shape.stack - 1, shape.rows - 1, shape.columns - 1}}) {
      INFO("pinned: ", results.graph.stages[i].id);
      lab.view().pinned = Spot{std::string(results.graph.stages[i].id), cell};
      lab.frame();
      check_panels(lab, scale);
    }
  }
  lab.view().pinned.reset();
}

void check_overlay(Headless& lab, bool& open, const char* name) {
  open = true;
  lab.frames(3);
  const ImGuiWindow* window = ImGui::FindWindowByName(name);
  REQUIRE(window);
  const Rect box{window->Rect().Min, window->Rect().Max};
  const std::vector<DrawnText> seen = cut_texts(lab.draw_data(), box);
  open = false;
  lab.frame();
  // The canvas below scrolls: what is cut without the overlay too is none of its words.
  const std::vector<DrawnText> below = cut_texts(lab.draw_data(), box);
  for (const DrawnText& text : seen)
    if (std::ranges::none_of(below, [&](const DrawnText& t) { return t.text == text.text; }))
      FAIL_CHECK(std::string(name) << " cuts “" << text.text << "”");
}

void check_overlays(Headless& lab) {
  check_overlay(lab, lab.view().overlays.palette, "##palette");
  check_overlay(lab, lab.view().overlays.keys, "##keys");
  check_overlay(lab, lab.view().overlays.manual.open, "##manual");
  lab.view().overlays.files.folder = "/";
  check_overlay(lab, lab.view().overlays.files.open, "##files");
}

// With every example and every odd document, in a window of each size; under a sanitizer of one.
void check_documents(float scale) {
  std::size_t turn = 0;
  for (const NamedDocument& named : all_documents()) {
    Headless lab({.document = named.document, .settings = Settings{}, .scale = scale});
    lab.view().settings.show_history = true;
    std::vector<ImVec2> sizes(std::begin(kPanelSizes), std::end(kPanelSizes));
    if (kSanitized) sizes = {sizes[turn++ % sizes.size()]};
    for (const ImVec2 size : sizes) {
      INFO(named.name, ", ", size.x, "×", size.y);
      lab.resize(size);
      check_panels(lab, scale);
      check_letters(lab);
      check_inspector(lab, scale);
      check_overlays(lab);
    }
  }
}

}  // namespace

TEST_CASE("every panel holds its words with every example and every odd document") {
  check_documents(1);
}

TEST_CASE("every panel holds its words with every example and every odd document at twice the scale" *
          doctest::test_suite("unsanitized")) {
  check_documents(2);
}

TEST_CASE("a window is drawn at the scale that it has room for") {
  CHECK(fitting_scale(3, {1024, 640}) == 2);
  CHECK(fitting_scale(3, {1600, 1000}) == 3);
  CHECK(fitting_scale(3, {1600, 700}) == 2);
  CHECK(fitting_scale(2, {300, 200}) == 1);
  CHECK(fitting_scale(0.5f, {300, 200}) == 0.5f);
}

TEST_CASE("a notice is as high as the lines of its chips") {
  for (const float width : {900.0f, 300.0f, 120.0f}) {
    Headless* running = nullptr;
    float bottom = 0, last = 0;
    const auto on_top = [&] {
      if (!running) return;
      const Theme theme = running->theme();
      ImGui::Begin("notice");
      const Rect area{{200, 100}, {200 + width, 600}};
      bottom = area.min.y + draw_band(theme, area, "what happened", theme.bad, [&](float left, float right) {
                 ChipRow row(theme, left, right);
                 for (const char* word : {"one way out", "another way out", "a third"})
                   row.add({.id = word, .text = word, .tooltip = {}});
                 last = ImGui::GetItemRectMax().y;
               });
      ImGui::End();
    };
    Headless lab({.document = read_document("three-tokens"), .settings = Settings{}, .on_top = on_top});
    running = &lab;
    lab.frames(2);
    CHECK(last > 100);
    CHECK(bottom - last >= 8);
    CHECK(bottom - last <= 12);
  }
}
