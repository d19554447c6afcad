// The sinusoidal encoding: its angles, and the arithmetic of one number; and numbers drawn with a seed.
#include "core/operations/position.h"

#include <cmath>

#include "core/operations/family.h"
#include "core/system/error.h"
#include "core/tensor/random.h"

namespace attn {

double SinusoidalEncoding::frequency(std::size_t column) const {
  const double pair = static_cast<double>(column / 2);
  return std::pow(base, -2 * pair / static_cast<double>(columns));
}

double sinusoidal_value(const SinusoidalEncoding& op, double frequency, std::size_t row, std::size_t column) {
  const double angle = static_cast<double>(op.first + row) * frequency;
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

double learned_value(const LearnedTable& op, Cell cell) {
  const std::size_t row = cell.head * op.length + op.first + cell.row;
  return op.sd * static_cast<double>(random_normal(op.seed, row * op.columns + cell.column));
}

Shape result_shape(const SinusoidalEncoding& op, Shapes) {  // throws Error unless 0 < base < ∞
  if (!(op.base > 0) || !std::isfinite(op.base))
    throw Error("the sinusoidal encoding needs a base above 0; 10000 is usual");
  return {1, op.rows, op.columns};
}

Shape result_shape(const LearnedTable& op, Shapes) {  // throws Error for rows it does not have
  if (op.first + op.rows > op.length)
    throw Error("the learned table has " + std::to_string(op.length) +
                " positions, counted from 0, and no row for position " +
                std::to_string(op.first + op.rows - 1) + ": use fewer tokens, or a table of " +
                std::to_string(op.first + op.rows) + " positions");
  return {op.stack, op.rows, op.columns};
}

Explanation explain(const SinusoidalEncoding& op, Inputs, Cell cell) {
  const double frequency = op.frequency(cell.column);
  const std::size_t position = op.first + cell.row;
  const std::string name = cell.column % 2 == 0 ? "sin" : "cos";
  return only(name + "(p·ω), p = " + std::to_string(position) +
                  ", ω = base^(−2i/d), i = " + std::to_string(cell.column / 2),
              {.operands = {constant(static_cast<double>(position) * frequency, "angle p·ω")},
               .value = sinusoidal_value(op, frequency, cell.row, cell.column)});
}

Explanation explain(const LearnedTable& op, Inputs, Cell cell) {
  const double value = learned_value(op, cell);
  return only("as training would have found it: here drawn with seed " + std::to_string(op.seed),
              {.operands = {constant(value, "drawn")}, .value = value});
}

Regions reach(const SinusoidalEncoding&, Shapes, std::size_t, Cell) {
  return {};
}
Regions reach(const LearnedTable&, Shapes, std::size_t, Cell) {
  return {};
}

Traits traits(const SinusoidalEncoding&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const LearnedTable&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .made_from_seed = true};
}

RowReads cut(SinusoidalEncoding& op, Shapes inputs, const RowRange& rows) {
  op.first += rows.first;
  op.rows = rows.count;
  return same_rows(inputs);
}
RowReads cut(LearnedTable& op, Shapes inputs, const RowRange& rows) {
  op.first += rows.first;
  op.rows = rows.count;
  return same_rows(inputs);
}

Backward backward(const SinusoidalEncoding&, Shapes, const Shape&) {
  return {};
}
Backward backward(const LearnedTable&, Shapes, const Shape&) {
  return {};
}

template struct Family<SinusoidalEncoding>;
template struct Family<LearnedTable>;

}  // namespace attn
