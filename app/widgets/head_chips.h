// A chip for each head, to choose the one that is shown.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "app/widgets/chips.h"

namespace attn {

struct HeadChips {
  std::span<const std::size_t> order = {};             // heads, as their chips stand
  std::size_t shown = 0;                               // one of them
  std::function<std::string(std::size_t)> about = {};  // the chip's tooltip
  std::function<bool(std::size_t)> off = {};
};

// In one line, as many as it has room for, the one that is shown among them. The head that was pressed.
std::optional<std::size_t> draw_head_chips(const Theme& theme, Rect line, const HeadChips& heads);

}  // namespace attn
