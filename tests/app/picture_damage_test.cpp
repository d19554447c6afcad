// Frames of which only the difference is drawn: the picture is that of a frame drawn whole.
#include <doctest/doctest.h>
#include <algorithm>
#include <limits>

#include "app/host/damage.h"
#include "app/program/input.h"
#include "app/workspaces/workspaces.h"
#include "core/positions/graph.h"
#include "tests/app/odd_documents.h"
#include "tests/app/picture_lab.h"
#include "tests/app/random_ui.h"
#include "tests/app/scratch_folder.h"
#include "tests/environment.h"
#include "tests/layers.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Pixels that differ.
std::size_t difference(const Picture& a, const Picture& b) {
  REQUIRE(a.rgb.size() == b.rgb.size());
  std::size_t count = 0;
  if (a.rgb == b.rgb) return count;
  for (std::size_t i = 0; i < a.rgb.size(); i += 3)
    count += !std::equal(a.rgb.begin() + static_cast<std::ptrdiff_t>(i),
                         a.rgb.begin() + static_cast<std::ptrdiff_t>(i + 3),
                         b.rgb.begin() + static_cast<std::ptrdiff_t>(i));
  return count;
}

constexpr float kMoment = 1e-4f;  // seconds; nothing moves on its own

// The frame as it is, and drawn whole.
void check_whole(Offscreen& screen) {
  constexpr int kSettling = 4;  // frames until the last event has had all its effects
  screen.lab().view().canvas().playing = false, screen.lab().view().canvas().step_fade = 1;
  screen.lab().app().engine().wait_idle();  // what comes behind the results comes late
  for (int i = 0; i < kSettling; ++i) screen.lab().frame(kMoment);
  const Picture seen = screen.picture();
  screen.draw_whole();
  screen.lab().frame(kMoment);
  CHECK(difference(seen, screen.picture()) == 0);
}

}  // namespace

TEST_CASE("what a scrub changes is drawn and the rest is still there") {
  Offscreen screen({.document = read_document(kStartExample), .settings = Settings{}});
  Headless& lab = screen.lab();
  const Picture first = screen.picture();
  const Document before = lab.document();
  const Rect cells = *lab.item("x/cells");
  const ImVec2 x{cells.min.x + 8, cells.min.y + 8};
  lab.move(x);
  lab.press();
  for (float dx = 0; dx < 60; dx += 7) {
    lab.move({x.x + dx, x.y});
    check_whole(screen);
  }
  lab.release();
  CHECK_FALSE(lab.document() == before);
  CHECK(difference(first, screen.picture()) > 1000);
}

TEST_CASE("after random events the picture is the one that a whole frame has") {
  const ScratchFolder folder;  // F12 is among the keys
  const Environment pictures("XDG_PICTURES_DIR", folder / "");
  Offscreen screen({.document = read_document("the-cat-sat-on-mat-two-heads"),
                    .settings = Settings{},
                    .size = {1280, 800}});
  Player player(screen.lab());
  int played = 0;
  for (const Event& event : random_events(77, kSanitized ? 200 : 600)) {
    player.play(event);
    if (++played % 10 > 0) continue;
    INFO("event ", played);
    check_whole(screen);
  }
}

TEST_CASE("where nearly every part changes the picture is the one that a whole frame has") {
  Document document;
  document.positions.length = 256, document.positions.width = 64;
  Offscreen screen({.document = std::move(document), .settings = Settings{}, .size = {1600, 2000}});
  screen.lab().app().show(*std::ranges::find(workspaces(), kPositionsPlan.name, &Workspace::name));
  screen.lab().settle();
  for (const std::size_t width : {62u, 32u, 96u}) {
    INFO("width ", width);
    Document changed = screen.lab().document();
    changed.positions.width = width;
    screen.lab().app().change(changed);
    screen.lab().settle();
    check_whole(screen);
  }
}

TEST_CASE("no row is lost in any workspace where a clip rectangle ends within a pixel" *
          doctest::test_suite("unsanitized")) {
  Offscreen screen({.document = read_document(kStartExample), .settings = Settings{}});
  for (const Workspace& workspace : workspaces())
    for (const float height : {1000.0f, 1013.0f, 937.0f, 881.0f}) {
      INFO(workspace.name, ", ", height, " pixels high");
      screen.lab().app().show(workspace);
      screen.lab().resize({1600, height});
      screen.lab().settle();
      check_whole(screen);
    }
}

TEST_CASE("single numbers of large matrices are drawn again wherever they are" *
          doctest::test_suite("unsanitized")) {
  Offscreen screen({.document = projected(64, 64, 8), .settings = Settings{}});
  screen.lab().settle();
  for (const Cell cell : {Cell{0, 0, 0}, Cell{0, 63, 1}, Cell{0, 31, 3}, Cell{0, 7, 2}})
    for (const float value : {0.5f, -40.0f, std::numeric_limits<float>::quiet_NaN(), 0.25f}) {
      INFO(cell.row, ", ", cell.column, ": ", value);
      Document changed = screen.lab().document();
      changed.layer().x = with_value(changed.layer().x, cell, value);
      screen.lab().app().change(changed);
      screen.lab().settle();
      check_whole(screen);
    }
}

TEST_CASE("a matrix in a texture is drawn again when its numbers or its range change") {
  Document document = read_document(kStartExample);
  std::vector<float> values(30 * 4, 0.5f);
  document.layer().x = Tensor({1, 30, 4}, values);
  document.layer().tokens.clear();
  Offscreen screen({.document = document, .settings = Settings{}});
  check_whole(screen);
  values[7] = 3;
  document.layer().x = Tensor({1, 30, 4}, values);
  screen.app().change(document);
  screen.lab().settle();
  check_whole(screen);
  screen.lab().view().grid.locked_ranges = {{"x", 20.0f}};
  check_whole(screen);
}

TEST_CASE("a matrix in a texture is drawn again for another head, mask or colour map") {
  Document document = projected(40, 8, 2);
  Offscreen screen({.document = document, .settings = Settings{}});
  View& view = screen.app().view();
  view.canvas().all = false;  // weights large, and out of sight at first
  Picture last = screen.picture();
  const auto check_changed = [&] {
    view.canvas().reveal = "weights";
    check_whole(screen);
    REQUIRE(screen.lab().item("weights/cells")->height() > 100);
    CHECK(difference(last, screen.picture()) > 10'000);
    last = screen.picture();
  };
  check_changed();
  view.layer.head = 1;
  check_changed();
  set_causal(document.layer(), CausalAlign::lower_right);
  screen.app().change(document);
  screen.lab().settle();
  check_changed();
  view.settings.weight_colours = WeightColours::cividis;
  check_changed();
}

TEST_CASE("another theme leaves nothing of the last one, nor another scale or size") {
  Offscreen screen({.document = read_document(kStartExample), .settings = Settings{}});
  for (const ThemeName theme : {ThemeName::light, ThemeName::high_contrast, ThemeName::dark}) {
    screen.lab().view().settings.theme = theme;
    check_whole(screen);
  }
  screen.lab().view().settings.ui_scale = 1.5f;
  check_whole(screen);
  screen.lab().resize({1300, 900});
  check_whole(screen);
}

TEST_CASE("a frame without changes has nothing to draw") {
  Headless lab({.document = read_document(kStartExample), .settings = Settings{}});
  lab.view().timeless = true;
  Damage damage;
  const auto regions = [&] {
    lab.frame();
    return damage.restrict_to_changes(*ImGui::GetDrawData(), IM_COL32_BLACK);
  };
  float area = 0;
  for (const Rect& region : regions()) area += region.width() * region.height();
  CHECK(area >= 1600 * 1000);
  CHECK(ImGui::GetDrawData()->CmdLists[0]->CmdBuffer.Size > 0);
  CHECK(regions().empty());
  lab.view().pinned = Spot{"scores", {0, 3, 0}};
  CHECK_FALSE(regions().empty());
}
