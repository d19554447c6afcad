// Dropout with a seed, explained: which entries fall, and what is done to those that stay.
#include "core/operations/dropout.h"

#include <cmath>

#include "core/operations/family.h"
#include "core/system/error.h"
#include "core/tensor/random.h"

namespace attn {

// u = bits ÷ 2^24 ≥ p just where bits ≥ ⌈p·2^24⌉: compared as whole numbers, nothing depends on a rounding.
std::uint32_t Dropout::threshold() const {
  return static_cast<std::uint32_t>(std::ceil(p * 16777216.0));
}

bool dropout_keeps(const Dropout& op, const Shape& shape, Cell cell) {
  const std::size_t rows = op.rows == 0 ? shape.rows : op.rows;
  const std::size_t e = (cell.head * rows + op.first + cell.row) * shape.columns + cell.column;
  return random_bits(op.seed, e) >= op.threshold();
}

bool Chance::keeps(const Shape& shape, Cell cell) const {
  return dropout_keeps({p, seed, first, rows}, shape, cell);
}

Shape result_shape(const Dropout& op, Shapes inputs) {  // throws Error unless 0 ≤ p ≤ 1
  if (!(op.p >= 0 && op.p <= 1)) throw Error("dropout needs a probability from 0 to 1");
  return inputs[0];
}

Explanation explain(const Dropout& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  if (!dropout_keeps(op, inputs[0].shape(), cell)) return only("dropped", {.operands = {x}, .value = 0});
  const Operand factor = constant(op.factor(), "1/(1−p)");
  Explanation e = only("kept, divided by 1−p", {.operands = {x, factor}, .value = x.value * factor.value});
  e.passages = {{words("kept, ÷ (1 − "), number_of(op.p, ")")}};
  return e;
}

Regions reach(const Dropout&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Traits traits(const Dropout& op, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .chance = Chance{op.p, op.seed, op.factor(), op.first, op.rows}};
}

RowReads cut(Dropout& op, Shapes inputs, const RowRange& rows) {
  op.first += rows.first;
  if (op.rows == 0) op.rows = inputs[0].rows;
  return same_rows(inputs);
}

Backward backward(const Dropout& op, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(op, {kGradient}, "%g, by the same draw"));
  return back;
}

template struct Family<Dropout>;

}  // namespace attn
