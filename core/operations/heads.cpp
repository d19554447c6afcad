#include "core/operations/heads.h"

#include <algorithm>

namespace attn {

bool Concat::mutes(std::size_t head) const {
  return std::binary_search(muted.begin(), muted.end(), head);
}

Shape result_shape(const Concat&, Shapes inputs) {
  return {1, inputs[0].rows, inputs[0].stack * inputs[0].columns};
}

Explanation explain(const Concat& op, Inputs inputs, Cell cell) {
  const std::size_t width = inputs[0].columns(), head = cell.column / width;
  const Operand x = operand(inputs, 0, {head, cell.row, cell.column % width});
  const bool muted = op.mutes(head);
  const double value = muted ? 0 : x.value;
  return {.rule = "head " + std::to_string(head) + (muted ? " is switched off: zeros" : "'s output"),
          .combine = Combine::choice,
          .terms = {{.operands = {x}, .value = value}},
          .result = value};
}

Region reach(const Concat& op, Shapes inputs, std::size_t, Cell cell) {
  if (op.mutes(cell.head)) return {};
  return region({0, cell.row, cell.head * inputs[0].columns + cell.column});
}

}  // namespace attn
