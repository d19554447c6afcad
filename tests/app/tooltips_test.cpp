// Tooltips: in lines that fit, whole in a small window, under the pointer or above it.
#include "app/widgets/tooltip.h"

#include "app/widgets/words.h"
#include "core/text/text.h"
#include "tests/app/small_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

const SmallWindow kLeast{{1024, 640}, 2, true, true};  // 512×320 points

// The one on screen; none: nothing says a word.
std::optional<Rect> tooltip_of(const SmallLab&) {
  for (const ImGuiWindow* window : GImGui->Windows)
    if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->Active && !window->Hidden)
      return Rect{window->Pos, {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y}};
  return std::nullopt;
}

std::optional<Rect> tooltip_at(SmallLab& lab, ImVec2 at) {
  lab.move(at);
  lab.frame(0.5f);
  lab.frames(3);
  return tooltip_of(lab);
}

// Over all that is pressed in the window; how many have a tooltip.
int check_tooltips(SmallLab& lab, Rect area) {
  const float margin = lab.theme().px(8);
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  int found = 0;
  for (const Item& item : std::vector<Item>(lab.items())) {
    if (!area.contains(centre(item.box))) continue;
    const auto box = tooltip_at(lab, centre(item.box));
    if (!box) continue;
    ++found;
    CAPTURE(item.path);
    CHECK(box->min.x >= margin);
    CHECK(box->min.y >= margin);
    CHECK(box->max.x <= window.x - margin);
    CHECK(box->max.y <= window.y - margin);
    check_whole(lab, *box, item.path.c_str());
  }
  lab.move({-1, -1});
  lab.frames(2);
  return found;
}

}  // namespace

TEST_CASE("at 512×320 points no tooltip of any workspace is cut" * doctest::test_suite("unsanitized")) {
  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.name);
    SmallLab lab(kLeast, workspace.name);
    int found = check_tooltips(lab, {{0, 0}, kLeast.size});
    for (const char* panel : {"controls", "inspector"}) {
      lab.press(std::string(panel) + " strip/chevron");
      const Rect open = opened_over(lab.layout(), lab.theme(), panel == std::string("controls"));
      found += check_tooltips(lab, open);
      lab.key(GLFW_KEY_ESCAPE);
      lab.frames(2);
    }
    CHECK(found > 10);
  }
}

TEST_CASE("a tooltip stands under the pointer, and above it where it has no room there") {
  SmallLab lab(kLeast);
  const Rect badge = *lab.item("device");
  const auto under = tooltip_at(lab, centre(badge));
  REQUIRE(under);
  CHECK(under->min.y > centre(badge).y);
  const ImVec2 play = centre(*lab.item("play"));
  const auto above = tooltip_at(lab, play);
  REQUIRE(above);
  CHECK(above->max.y < play.y);
}

TEST_CASE("lines are broken at spaces and their own ends, and in a word that is wider than all of them") {
  SmallLab lab(kLeast);
  const ImFont* font = lab.theme().fonts.body;
  CHECK(wrapped(font, "one\ntwo three", 1000) == "one\ntwo three");
  CHECK(wrapped(font, "two three", text_width(font, "two thr")) == "two\nthree");
  const float width = text_width(font, "wwwwwwwwww");
  const std::string broken = wrapped(font, std::string(60, 'w') + " end", width);
  CHECK(std::ranges::count(broken, 'w') == 60);
  CHECK(broken.ends_with("end"));
  for (const std::string& line : split(broken, '\n')) CHECK(text_width(font, line) <= width);
}
