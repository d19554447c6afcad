// The headless host: what goes in arrives, what is drawn is read back.
#include <doctest/doctest.h>

#include <cmath>

#include "app/host/fonts.h"
#include "app/host/headless.h"
#include "app/program/input.h"
#include "app/theme/toolkit.h"

using namespace attn;

namespace {

// One frame with nothing but `draw`, in a context of its own.
struct Sheet {
  ImguiContext context;
  Fonts fonts;
  std::vector<DrawnText> texts;

  explicit Sheet(float scale = 1) {
    std::string note;
    fonts = load_fonts(scale, note);
    CHECK(note.empty());
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {1000, 800};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  }
  template <class Draw>
  void show(Draw draw) {
    ImGui::NewFrame();
    draw(*ImGui::GetBackgroundDrawList());
    ImGui::Render();
    texts = drawn_texts(*ImGui::GetDrawData());
  }
};

void write(ImDrawList& list, const ImFont* font, ImVec2 at, const char* text, ImU32 colour = IM_COL32_WHITE) {
  list.AddText(font, font_size(font), at, colour, text);
}

}  // namespace

TEST_CASE("texts are read back in drawing order with their places colours and fonts") {
  Sheet sheet;
  const ImU32 red = IM_COL32(255, 0, 0, 255);
  sheet.show([&](ImDrawList& list) {
    write(list, sheet.fonts.body, {10, 20}, "softmax(QKᵀ/√dₖ)V", red);
    list.AddRectFilled({100, 100}, {200, 200}, red);
    list.AddCircle({150, 150}, 20, red);
    write(list, sheet.fonts.large, {10, 60}, "−1.25 → ∞");
    write(list, sheet.fonts.bold, {300, 20}, "two words");
  });
  REQUIRE(sheet.texts.size() == 3);
  CHECK(sheet.texts[0].text == "softmax(QKᵀ/√dₖ)V");
  CHECK(sheet.texts[0].colour == red);
  CHECK(sheet.texts[0].font == sheet.fonts.body);
  CHECK(sheet.texts[0].box.min.x == doctest::Approx(10).epsilon(1e-4));
  CHECK(sheet.texts[0].box.min.y == doctest::Approx(20).epsilon(1e-4));
  CHECK(sheet.texts[0].box.height() == doctest::Approx(font_size(sheet.fonts.body)));
  CHECK(sheet.texts[1].text == "−1.25 → ∞");
  CHECK(sheet.texts[1].font == sheet.fonts.large);
  CHECK(sheet.texts[2].text == "two words");
}

TEST_CASE("texts side by side stay apart and a cell says only what is inside it") {
  Sheet sheet;
  sheet.show([&](ImDrawList& list) {
    write(list, sheet.fonts.small, {10, 10}, "1.50");
    write(list, sheet.fonts.small, {60, 10}, "-2.25");
    write(list, sheet.fonts.small, {10, 40}, "3.75");
  });
  REQUIRE(sheet.texts.size() == 3);
  const auto inside = drawn_texts(*ImGui::GetDrawData(), {{50, 0}, {100, 30}});
  REQUIRE(inside.size() == 1);
  CHECK(inside[0].text == "-2.25");
}

TEST_CASE("what a clip rectangle hides is not read") {
  Sheet sheet;
  sheet.show([&](ImDrawList& list) {
    list.PushClipRect({0, 0}, {500, 30});
    write(list, sheet.fonts.body, {10, 10}, "seen");
    write(list, sheet.fonts.body, {10, 60}, "hidden");
    list.PopClipRect();
  });
  REQUIRE(sheet.texts.size() == 1);
  CHECK(sheet.texts[0].text == "seen");
}

TEST_CASE("the fonts have every mark that the interface draws at every scale") {
  for (const float scale : {1.0f, 1.5f, 2.0f, 3.0f}) {
    Sheet sheet(scale);
    for (const ImFont* font : {sheet.fonts.body, sheet.fonts.bold, sheet.fonts.small})
      for (const ImWchar mark : std::u16string(u"AzÄßžΣαβ√ᵀₖ₀⁻¹±×÷·…–—“”‘’∞−≤≥→←↑↓▶◀▾▸▷✓✗●○½∂∇∈≈\u2009"))
        CHECK_MESSAGE(font->FindGlyphNoFallback(mark), "U+", static_cast<unsigned>(mark));
    for (const ImWchar mark : std::u16string(u"0123456789.-+e∞−NaN"))
      CHECK(sheet.fonts.large->FindGlyphNoFallback(mark));
    // Newer versions of the toolkit take whole pixels for both.
    constexpr float kRatio = 13 / 11.5f, kRounded = 0.5f + 0.5f * kRatio;
    CHECK(std::abs(font_size(sheet.fonts.body) - font_size(sheet.fonts.small) * kRatio) <= kRounded);
  }
}

TEST_CASE("the program starts on its first results") {
  Headless lab({.document = read_document("three-tokens"), .settings = Settings{}});
  CHECK(lab.app().engine_state().results != nullptr);
  CHECK(lab.shows("weights"));
  CHECK(lab.find_text("Pipeline"));
  CHECK_FALSE(lab.shows("no such words"));
}

TEST_CASE("items are found by the labels that lead to them") {
  Headless lab({.document = read_document("three-tokens"), .settings = Settings{}});
  const auto cells = lab.item("weights/cells");
  REQUIRE(cells);
  CHECK(cells->width() > 0);
  CHECK(lab.item("q/cells"));
  CHECK(lab.item("File"));
  CHECK_FALSE(lab.item("eights/cells"));
  CHECK_FALSE(lab.item("no such item"));
}

TEST_CASE("a scrubbed number and the weights that follow from it are in the same frame") {
  Headless lab({.document = read_document("three-tokens"), .settings = Settings{}});
  const auto before = lab.results();
  const auto cells = lab.item("q/cells");
  REQUIRE(cells);
  const ImVec2 cell{cells->min.x + 4, cells->min.y + 4};
  lab.move(cell);
  lab.press();
  for (int i = 1; i <= 10; ++i) {
    lab.move({cell.x + 12.0f * static_cast<float>(i), cell.y});
    const EngineState state = lab.app().engine_state();
    CHECK(state.results->document == lab.document());
  }
  lab.release();
  CHECK_FALSE(lab.document() == before->document);
  CHECK_FALSE(lab.results()->output("weights") == before->output("weights"));
}

TEST_CASE("keys and the clipboard reach the program") {
  Headless lab({.document = read_document("three-tokens"), .settings = Settings{}});
  lab.key(GLFW_KEY_P, {.control = true, .shift = true});
  CHECK(lab.view().overlays.palette);
  lab.type("zoom");
  CHECK(lab.view().overlays.palette_text == "zoom");
  lab.key(GLFW_KEY_A, {.control = true});
  lab.key(GLFW_KEY_C, {.control = true});
  CHECK(lab.clipboard == "zoom");
  lab.clipboard = "fit";
  lab.key(GLFW_KEY_V, {.control = true});
  lab.frame();
  CHECK(lab.view().overlays.palette_text == "fit");
}

TEST_CASE("two headless programs side by side do not disturb each other") {
  Headless one({.document = read_document("three-tokens"), .settings = Settings{}});
  {
    Headless two({.document = read_document("the-cat-sat-on-mat"), .settings = Settings{}, .scale = 2});
    one.frame();
    two.frame();
    CHECK(two.shows("mat"));
  }
  one.frame();
  CHECK_FALSE(one.shows("mat"));
  CHECK(one.shows("weights"));
}
