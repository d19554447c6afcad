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
    throw Error("the sinusoidal encoding pairs sines with cosines: it needs an even width, not " +
                std::to_string(op.columns));
  return {1, op.rows, op.columns};
}

Explanation explain(const SinusoidalEncoding& op, Inputs, Cell cell) {
  const double angle = static_cast<double>(cell.row) * op.frequency(cell.column);
  const std::string name = cell.column % 2 == 0 ? "sin" : "cos";
  const double value = sinusoidal_value(op, cell.row, cell.column);
  return {.rule = name + "(p·ω), p = " + std::to_string(cell.row) +
                  ", ω = base^(−2i/d), i = " + std::to_string(cell.column / 2),
          .combine = Combine::choice,
          .terms = {{.operands = {{.value = angle, .input = -1, .cell = {}, .text = "angle p·ω"}},
                     .value = value}},
          .result = value};
}

Region reach(const SinusoidalEncoding&, Shapes, std::size_t, Cell) {
  return {};
}

}  // namespace attn
