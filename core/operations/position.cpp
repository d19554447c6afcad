// The sinusoidal encoding: its angles, and the arithmetic of one number.
#include "core/operations/position.h"

#include <cmath>

#include "core/error.h"

namespace attn {

double SinusoidalEncoding::frequency(std::size_t column) const {
  const double pair = static_cast<double>(column / 2);
  return std::pow(base, -2 * pair / static_cast<double>(columns));
}

double sinusoidal_value(const SinusoidalEncoding& op, std::size_t row, std::size_t column) {
  const double angle = static_cast<double>(row) * op.frequency(column);
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

Shape result_shape(const SinusoidalEncoding& op, Shapes) {
  if (!(op.base > 0) || !std::isfinite(op.base))
    throw Error("the sinusoidal encoding needs a base above 0; 10000 is usual");
  if (op.columns % 2 != 0)
    throw Error("the sinusoidal encoding pairs sines with cosines and needs an even width: use " +
                (op.columns > 1 ? std::to_string(op.columns - 1) + " or " : "") +
                std::to_string(op.columns + 1));
  return {1, op.rows, op.columns};
}

Explanation explain(const SinusoidalEncoding& op, Inputs, Cell cell) {
  const double angle = static_cast<double>(cell.row) * op.frequency(cell.column);
  const std::string name = cell.column % 2 == 0 ? "sin" : "cos";
  return only(
      name + "(p·ω), p = " + std::to_string(cell.row) +
          ", ω = base^(−2i/d), i = " + std::to_string(cell.column / 2),
      {.operands = {constant(angle, "angle p·ω")}, .value = sinusoidal_value(op, cell.row, cell.column)});
}

Region reach(const SinusoidalEncoding&, Shapes, std::size_t, Cell) {
  return {};
}

}  // namespace attn
