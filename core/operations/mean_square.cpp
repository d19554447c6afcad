// A mean square distance and what flows back through it: which shapes fit, the arithmetic of one number in
// words, and where it goes.
#include "core/operations/mean_square.h"

#include "core/operations/family.h"
#include "core/operations/mean_square_row.h"
#include "core/operations/row_norm_row.h"
#include "core/operations/written.h"
#include "core/system/error.h"

namespace attn {
namespace {

void check_target(const Shape& x, const Shape& target) {
  if (target != x)
    throw Error("a target of " + to_string(target) + " does not fit a matrix of " + to_string(x) +
                ": it needs a number for each, NaN where nothing is asked");
}

// ÷ how many are asked, as a factor.
Operand share_of_asked(double asked) {
  return constant(asked > 0 ? 1 / asked : 0, "1/" + std::to_string(static_cast<long>(asked)));
}

}  // namespace

Shape result_shape(const MeanSquare&, Shapes inputs) {
  check_target(inputs[0], inputs[1]);
  return {1, 1, 1};
}
Shape result_shape(const MeanSquareGradient&, Shapes inputs) {
  check_target(inputs[0], inputs[1]);
  if (inputs[2] != Shape{1, 1, 1})
    throw Error("a gradient of " + to_string(inputs[2]) +
                " is not that of a mean square, which is one number");
  return inputs[0];
}

// Too many squares to list: those of a row are one term.
Explanation explain(const MeanSquare&, Inputs inputs, Cell) {
  const Tensor& x = inputs[0];
  const Operand share = share_of_asked(numbers_asked(inputs[1].values()));
  std::vector<Term> terms;
  for (Cell at; at.head < x.stack(); ++at.head)
    for (at.row = 0; at.row < x.rows(); ++at.row) {
      const double sum =
          sum_of_squares(row_numbers(x, at.head, at.row), row_numbers(inputs[1], at.head, at.row));
      terms.push_back({.operands = {constant(sum, row_words(x.shape(), at)), share},
                       .value = share.value == 0 ? 0 : sum * share.value});
    }
  Explanation e = sum_of("Σ of (number − target)² ÷ numbers asked, row by row", std::move(terms));
  e.formula = {words("Σ ("), part_of(0, " − "), part_of(1, ")²"), words(" ÷ numbers asked")};
  e.passages = {{words("one square of a mean")}};
  return e;
}

Explanation explain(const MeanSquareGradient&, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell), t = operand(inputs, 1, cell), g = operand(inputs, 2, {});
  if (std::isnan(t.value)) return only("nothing is asked of this number: 0", {.operands = {t}, .value = 0});
  const double asked = numbers_asked(inputs[1].values());
  Operand distance = x;
  distance.value = x.value - t.value, distance.text = "number − target";
  Operand twice = share_of_asked(asked);
  twice.value *= 2, twice.text = "2" + twice.text.substr(1);
  Explanation e = only("2 × (number − target) × what flows in ÷ numbers asked",
                       {.operands = {distance, g, twice}, .value = 2 * distance.value * g.value / asked});
  e.formula = {words("2 × ("),
               cell_of(0, cell),
               words(" − "),
               cell_of(1, cell),
               words(") × "),
               part_of(2, " ÷ "),
               words(std::to_string(static_cast<long>(asked)))};
  return e;
}

// Targets also say how many are asked.
Regions reach(const MeanSquare&, Shapes, std::size_t, Cell) {
  return region({0, 0, 0});
}
Regions reach(const MeanSquareGradient&, Shapes inputs, std::size_t input, Cell cell) {
  const Shape& x = inputs[0];
  if (input == 0) return region(cell);
  return {{0, 0, 0}, {x.stack, x.rows, x.columns}};
}

Traits traits(const MeanSquare&, Shapes inputs, const Shape&) {
  return {.multiply_adds = 2 * size_of(inputs[0]), .counted = 3 * size_of(inputs[0])};
}
Traits traits(const MeanSquareGradient&, Shapes, const Shape& result) {
  return {.multiply_adds = 2 * size_of(result), .counted = 2 * size_of(result)};
}

RowReads cut(MeanSquare&, Shapes, const RowRange&) {
  return std::nullopt;
}
// Rows would count what is asked among themselves.
RowReads cut(MeanSquareGradient&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const MeanSquareGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

Backward backward(const MeanSquare&, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(MeanSquareGradient{}, {input_of(0), input_of(1), kGradient},
                        "%g · 2 (%0 − %1) ÷ numbers asked"));
  return back;
}

template struct Family<MeanSquare>;
template struct Family<MeanSquareGradient>;

}  // namespace attn
