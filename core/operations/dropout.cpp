#include "core/operations/dropout.h"

#include <cmath>

#include "core/error.h"

namespace attn {

std::uint32_t Dropout::threshold() const {
  return static_cast<std::uint32_t>(std::ceil(p * 16777216.0));
}

std::uint32_t dropout_bits(std::uint64_t seed, std::uint64_t e) {
  std::uint64_t z = seed + (e + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 40);
}

bool dropout_keeps(const Dropout& op, std::uint64_t e) {
  return dropout_bits(op.seed, e) >= op.threshold();
}

Shape result_shape(const Dropout& op, Shapes inputs) {
  if (!(op.p >= 0 && op.p <= 1)) throw Error("dropout needs a probability from 0 to 1");
  return inputs[0];
}

Explanation explain(const Dropout& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  if (!dropout_keeps(op, inputs[0].index(cell)))
    return {
        .rule = "dropped", .combine = Combine::choice, .terms = {{.operands = {x}, .value = 0}}, .result = 0};
  const Operand factor{.value = op.factor(), .input = -1, .cell = {}, .text = "1/(1−p)"};
  const double value = x.value * factor.value;
  return {.rule = "kept, divided by 1−p",
          .combine = Combine::sum,
          .terms = {{.operands = {x, factor}, .value = value}},
          .result = value};
}

Region reach(const Dropout&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

}  // namespace attn
