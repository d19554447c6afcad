// Normalised rows, their gradients and sums of columns: which shapes fit, the arithmetic of one number in
// words, and where it goes.
#include "core/operations/row_norm.h"

#include "core/operations/family.h"
#include "core/operations/row_norm_row.h"
#include "core/operations/written.h"
#include "core/system/error.h"

namespace attn {
namespace {

// A gain or a bias has a number for each column.
void check_per_column(const Shape& given, const Shape& x, const char* what) {
  if (given != Shape{1, 1, x.columns})
    throw Error(std::string("a ") + what + " of " + to_string(given) + " does not fit rows of " +
                std::to_string(x.columns) + ": it needs as many numbers");
}

const char* length_words(const RowNorm& norm) {
  return norm.centred ? "√(variance + ε)" : "√(mean x² + ε)";
}

Operand shared_length(const RowNorm& norm, double length) {
  return constant(1 / length, std::string("1/") + length_words(norm));
}

std::span<const float> row_of_input(Inputs inputs, std::size_t input, Cell cell) {
  return row_numbers(inputs[input], cell.head, cell.row);
}

// The number of input `input` that belongs to a column, as a factor; nothing where there is no such input.
void add_factor(std::vector<Operand>& to, Inputs inputs, std::size_t input, std::size_t column) {
  if (input < inputs.size()) to.push_back(operand(inputs, static_cast<int>(input), {0, 0, column}));
}

Term product_of(std::vector<Operand> factors) {
  double product = 1;
  for (const Operand& factor : factors) product *= factor.value;
  return {.operands = std::move(factors), .value = product};
}

// Sums of few terms: their result is that of the formula, whose order of operations the reference has too.
Explanation summed(std::string rule, std::vector<Term> terms, double result) {
  Explanation e = sum_of(std::move(rule), std::move(terms));
  e.result = result;
  return e;
}

Explanation explain_rows(const RowNorm& norm, Inputs inputs, Cell cell) {
  constexpr std::size_t kGain = 2;
  const std::span<const float> x = row_of_input(inputs, 0, cell), g = row_of_input(inputs, 1, cell);
  const std::span<const float> gain =
      inputs.size() > kGain ? inputs[kGain].values() : std::span<const float>();
  const RowScale scale = row_scale(norm, x);
  const RowLoss loss = row_loss(norm, scale, x, g, gain);
  const double x_hat = normed(scale, x[cell.column]);
  const Operand length = shared_length(norm, scale.length);
  std::vector<Operand> own{operand(inputs, 1, cell)};
  add_factor(own, inputs, kGain, cell.column);
  double flows = 1;
  for (const Operand& factor : own) flows *= factor.value;
  own.push_back(length);
  std::vector<Term> terms{product_of(std::move(own))};
  if (norm.centred) terms.push_back(product_of({constant(-loss.mean, "−mean of the row’s"), length}));
  Operand along = operand(inputs, 0, cell);
  along.value = -x_hat, along.text = "−normed";
  terms.push_back(product_of({along, constant(loss.along, "mean of normed × the row’s"), length}));
  return summed(norm.centred ? "what flows in − its mean − its part along the row, ÷ √(variance + ε)"
                             : "what flows in − its part along the row, ÷ √(mean x² + ε)",
                std::move(terms), (flows - loss.mean - x_hat * loss.along) / scale.length);
}

Explanation explain_gain(const RowNorm& norm, Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  for (Cell at{0, 0, cell.column}; at.head < inputs[0].stack(); ++at.head)
    for (at.row = 0; at.row < inputs[0].rows(); ++at.row) {
      Operand x = operand(inputs, 0, at);
      x.value = normed(row_scale(norm, row_of_input(inputs, 0, at)), x.value), x.text = "normed";
      terms.push_back(product_of({operand(inputs, 1, at), x}));
    }
  return sum_of("Σ over rows of what flows in × normed", std::move(terms));
}

}  // namespace

Shape result_shape(const RowNorm&, Shapes inputs) {
  for (std::size_t input = 1; input < inputs.size(); ++input)
    check_per_column(inputs[input], inputs[0], input == 1 ? "gain" : "bias");
  return inputs[0];
}
Shape result_shape(const RowNormGradient& op, Shapes inputs) {
  if (inputs[1] != inputs[0])
    throw Error("a gradient of " + to_string(inputs[1]) + " is not that of rows of " + to_string(inputs[0]));
  if (inputs.size() > 2) check_per_column(inputs[2], inputs[0], "gain");
  return op.of == RowNormGradient::gain ? Shape{1, 1, inputs[0].columns} : inputs[0];
}
Shape result_shape(const ColumnSum& op, Shapes inputs) {
  return {op.each ? inputs[0].stack : 1, 1, inputs[0].columns};
}

Explanation explain(const RowNorm& op, Inputs inputs, Cell cell) {
  const RowScale scale = row_scale(op, row_of_input(inputs, 0, cell));
  const Operand x = operand(inputs, 0, cell), length = shared_length(op, scale.length);
  std::vector<Operand> own{x, length}, of_mean{constant(-scale.mean, "−mean of the row"), length};
  add_factor(own, inputs, 1, cell.column);
  add_factor(of_mean, inputs, 1, cell.column);
  std::vector<Term> terms{product_of(std::move(own))};
  if (op.centred) terms.push_back(product_of(std::move(of_mean)));
  double result = normed(scale, x.value);
  if (inputs.size() > 1) result *= static_cast<double>(inputs[1][{0, 0, cell.column}]);
  if (inputs.size() > 2) {
    const Operand bias = operand(inputs, 2, {0, 0, cell.column});
    terms.push_back({.operands = {bias}, .value = bias.value, .named_by = 2});
    result += bias.value;
  }
  std::string rule = std::string(op.centred ? "(number − mean of the row)" : "number") + " ÷ " +
                     length_words(op) + (inputs.size() > 1 ? " × gain" : "") +
                     (inputs.size() > 2 ? " + bias" : "");
  Explanation e = summed(std::move(rule), std::move(terms), result);
  e.passages = {{words(op.centred ? "− " + written(scale.mean) + ", ÷ " : "÷ "), number_of(scale.length)},
                {words("its column’s gain")},
                {words("its column’s bias")}};
  return e;
}

Explanation explain(const RowNormGradient& op, Inputs inputs, Cell cell) {
  return op.of == RowNormGradient::gain ? explain_gain(op.norm, inputs, cell)
                                        : explain_rows(op.norm, inputs, cell);
}

Explanation explain(const ColumnSum& op, Inputs inputs, Cell cell) {
  const std::size_t end = op.each ? cell.head + 1 : inputs[0].stack();
  std::vector<Term> terms;
  for (Cell at = cell; at.head < end; ++at.head)
    for (at.row = 0; at.row < inputs[0].rows(); ++at.row)
      terms.push_back({.operands = {operand(inputs, 0, at)}, .value = inputs[0][at]});
  return sum_of(op.each ? "Σ of the column over the rows of its head" : "Σ of the column over all rows",
                std::move(terms));
}

Regions reach(const RowNorm&, Shapes inputs, std::size_t input, Cell cell) {
  const Shape& x = inputs[0];
  if (input == 0) return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, x.columns}};
  return {{0, 0, cell.column}, {x.stack, x.rows, cell.column + 1}};
}
// A number of X is in its row's mean and length, one of the gain in all that all rows lose.
Regions reach(const RowNormGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape& x = inputs[0];
  if (op.of == RowNormGradient::gain) {
    if (input > 1) return {};
    return input == 1 ? region({0, 0, cell.column}) : Regions({0, 0, 0}, {1, 1, x.columns});
  }
  if (input > 1) return {{0, 0, 0}, {x.stack, x.rows, x.columns}};
  return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, x.columns}};
}
Regions reach(const ColumnSum& op, Shapes, std::size_t, Cell cell) {
  return region({op.each ? cell.head : 0, 0, cell.column});
}

// Counted: squares and their sum, the root's factor, the mean and what is less it, gain and bias.
Traits traits(const RowNorm& op, Shapes inputs, const Shape& result) {
  const double each = (op.centred ? 5.0 : 3.0) + static_cast<double>(inputs.size() - 1);
  return {.multiply_adds = each * size_of(result), .counted = each * size_of(result)};
}
// Of the rows also: ĝ, two sums, what is less them, the factor.
Traits traits(const RowNormGradient& op, Shapes inputs, const Shape&) {
  const double normed = op.norm.centred ? 5 : 3;
  const double each = normed + (op.of == RowNormGradient::gain ? 2 : op.norm.centred ? 7 : 6);
  return {.multiply_adds = each * size_of(inputs[0]), .counted = each * size_of(inputs[0])};
}
Traits traits(const ColumnSum&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0]), .counted = size_of(inputs[0])};
}

RowReads cut(RowNorm&, Shapes inputs, const RowRange&) {
  return inputs.size() > 2   ? same_rows(inputs, {1, 2})
         : inputs.size() > 1 ? same_rows(inputs, {1})
                             : same_rows(inputs);
}
RowReads cut(RowNormGradient& op, Shapes inputs, const RowRange&) {
  if (op.of == RowNormGradient::gain) return std::nullopt;
  return inputs.size() > 2 ? same_rows(inputs, {2}) : same_rows(inputs);
}
RowReads cut(ColumnSum&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const RowNorm& op, Shapes inputs, const Shape&) {
  Backward back;
  if (inputs.size() == 1) {
    back.flow(0, back.add(RowNormGradient{op}, {input_of(0), kGradient}, "through the norm of %0"));
    return back;
  }
  back.flow(0,
            back.add(RowNormGradient{op}, {input_of(0), kGradient, input_of(1)}, "through the norm of %0"));
  back.flow(1, back.add(RowNormGradient{op, RowNormGradient::gain}, {input_of(0), kGradient},
                        "Σ over rows of %g ⊙ %0, normed"));
  if (inputs.size() > 2) back.flow(2, back.add(ColumnSum{}, {kGradient}, "Σ over rows of %g"));
  return back;
}
Backward backward(const RowNormGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}
Backward backward(const ColumnSum& op, Shapes inputs, const Shape&) {
  Backward back;
  const BackwardValue ones =
      back.add(Source{ones_of({op.each ? 1 : inputs[0].stack, inputs[0].rows, 1})}, {}, "ones");
  back.flow(0, back.add(MatMul{}, {ones, kGradient}, "%g, in every row"));
  return back;
}

template struct Family<RowNorm>;
template struct Family<RowNormGradient>;
template struct Family<ColumnSum>;

}  // namespace attn
