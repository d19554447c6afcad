// Copies of whole tensors: what edits and options do now and then, not what a layer computes with.
#include "core/attention/heads.h"

#include <vector>

namespace attn {

Tensor split_heads(const Tensor& wide, std::size_t heads) {
  const std::size_t width = wide.columns() / heads;
  std::vector<float> values;
  values.reserve(wide.values().size());
  for (std::size_t head = 0; head < heads; ++head)
    for (std::size_t row = 0; row < wide.rows(); ++row)
      for (std::size_t column = 0; column < width; ++column)
        values.push_back(wide[{0, row, head * width + column}]);
  return {{heads, wide.rows(), width}, std::move(values)};
}

Tensor side_by_side(const Tensor& stack) {
  std::vector<float> values;
  values.reserve(stack.values().size());
  for (std::size_t row = 0; row < stack.rows(); ++row)
    for (std::size_t head = 0; head < stack.stack(); ++head)
      for (std::size_t column = 0; column < stack.columns(); ++column)
        values.push_back(stack[{head, row, column}]);
  return {{1, stack.rows(), stack.stack() * stack.columns()}, std::move(values)};
}

}  // namespace attn
