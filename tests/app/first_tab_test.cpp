// Tab as the first key after the start: something has the focus, and its ring is drawn.
#include <doctest/doctest.h>

#include <algorithm>

#include <imgui_internal.h>

#include "app/theme/toolkit.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Lines in the ring's colour along the box, near each of its corners.
bool ringed(const Headless& lab, const Rect& box) {
  const ImU32 colour = lab.theme().focus_ring;
  const ImDrawData& data = lab.draw_data();
  const auto reached = [&](float x, float y) {
    for (int i = 0; i < data.CmdListsCount; ++i)
      for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer)
        if (vertex.col == colour && std::abs(vertex.pos.x - x) < 8 && std::abs(vertex.pos.y - y) < 8)
          return true;
    return false;
  };
  return reached(box.min.x, box.min.y) && reached(box.max.x, box.max.y);
}

const Item* focused(const Headless& lab) {
  const auto found = std::ranges::find(lab.items(), ImGui::GetCurrentContext()->NavId, &Item::id);
  return found == lab.items().end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("the first Tab after the start reaches a control and its ring is drawn" *
          doctest::test_suite("unsanitized")) {
  for (const Workspace& workspace : workspaces())
    for (const bool moved : {false, true}) {
      INFO(workspace.name, " pointer moved: ", moved);
      WorkspaceLab lab(workspace.name, {.document = read_document(kStartExample), .settings = Settings{}});
      if (moved) lab.move({800, 500});
      lab.key(GLFW_KEY_TAB);
      lab.frames(2);
      const Item* item = focused(lab);
      REQUIRE(item);
      INFO(item->path);
      CHECK(ringed(lab, item->box));
    }
}

TEST_CASE("the first Tab of a program that has just been started") {
  Headless lab({.document = read_document(kStartExample), .settings = Settings{}, .wait = false});
  lab.key(GLFW_KEY_TAB);
  lab.frames(3);
  REQUIRE(focused(lab));
  CHECK(ringed(lab, focused(lab)->box));
}
