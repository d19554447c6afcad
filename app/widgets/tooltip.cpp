// Wrapped for the window and placed by its own size: the toolkit cuts what fits on no side of the pointer.
#include "app/widgets/tooltip.h"

#include <algorithm>

#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kMostWidth = 26, kRightOf = 1, kPointer = 1.3f;  // lines of text

// What the pointer is on; with the keyboard, the focused item.
Rect pointed_at(float line) {
  const Rect item{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  if (ImGui::IsItemHovered() && !ImGui::IsMouseHoveringRect(item.min, item.max)) return item;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {{mouse.x + kRightOf * line, mouse.y}, {mouse.x + kRightOf * line, mouse.y + kPointer * line}};
}

}  // namespace

void show_tooltip(const std::string& words) {
  const ImFont* font = ImGui::GetFont();
  const ImGuiStyle& style = ImGui::GetStyle();
  const float line = font_size(font), around = 2 * (style.DisplaySafeAreaPadding.x + style.WindowPadding.x);
  const std::string lines =
      wrapped(font, words, std::min(kMostWidth * line, ImGui::GetIO().DisplaySize.x - around));
  const ImVec2 size = ImGui::CalcTextSize(lines.c_str());
  ImGui::SetNextWindowPos(
      place_near(pointed_at(line), {size.x + 2 * style.WindowPadding.x, size.y + 2 * style.WindowPadding.y}));
  ImGui::SetTooltip("%s", lines.c_str());
}

ImVec2 place_near(Rect thing, ImVec2 size) {
  const ImVec2 display = ImGui::GetIO().DisplaySize, margin = ImGui::GetStyle().DisplaySafeAreaPadding;
  const float gap = margin.y / 2;
  const bool above = stands_above(thing, size.y + gap + margin.y, display.y);
  const auto within = [](float at, float least, float most) { return std::max(least, std::min(at, most)); };
  return {within(thing.min.x, margin.x, display.x - margin.x - size.x),
          within(above ? thing.min.y - gap - size.y : thing.max.y + gap, margin.y,
                 display.y - margin.y - size.y)};
}

bool stands_above(Rect thing, float height, float window) {
  return thing.max.y + height > window && thing.min.y - height >= 0;
}

}  // namespace attn
