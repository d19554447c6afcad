// Which of many heads have a chip, and the chips.
#include "app/widgets/head_chips.h"

#include <algorithm>
#include <utility>

namespace attn {

std::optional<std::size_t> draw_head_chips(const Theme& theme, Rect line, const HeadChips& heads) {
  const std::span<const std::size_t> order = heads.order;
  const auto width = [&](std::size_t i) {
    return chip_size(theme, std::to_string(order[i])).x + theme.px(kChipGap);
  };
  auto first = static_cast<std::size_t>(std::ranges::find(order, heads.shown) - order.begin());
  std::size_t end = first + 1;
  float room = line.width() - width(first);
  for (bool grows = true; std::exchange(grows, false);) {
    if (end < order.size() && width(end) <= room) room -= width(end++), grows = true;
    if (first > 0 && width(first - 1) <= room) room -= width(--first), grows = true;
  }
  std::optional<std::size_t> pressed;
  ImGui::PushID("choose");
  ImGui::SetCursorScreenPos(line.min);
  ChipRow row(theme, line.min.x, line.max.x + theme.px(kChipGap));
  for (std::size_t i = first; i < end; ++i)
    if (row.add({.id = "head " + std::to_string(order[i]),
                 .text = std::to_string(order[i]),
                 .tooltip = heads.about(order[i]),
                 .on = order[i] == heads.shown,
                 .faint = heads.off(order[i])}))
      pressed = order[i];
  ImGui::PopID();
  return pressed;
}

}  // namespace attn
