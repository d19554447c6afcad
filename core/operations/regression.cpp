// Regression over the points at once: shapes, and how its numbers are explained.
#include "core/operations/regression.h"

#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/regression_row.h"
#include "core/system/error.h"

namespace attn {
namespace {

void check_values(Shape keys, Shape values) {
  if (values.stack != 1 || values.rows != keys.rows)
    throw Error("values of " + to_string(values) + " do not fit " + std::to_string(keys.rows) +
                " keys: give each a row");
}

// The estimate at a key from all others, of one candidate width.
std::vector<double> others_of(const LeaveOneOut& op, Inputs inputs, Cell cell) {
  const KernelRow<float> row{.keys = inputs[0],
                             .widths = inputs[2],
                             .query = inputs[0][{0, cell.row, 0}],
                             .row = cell.row,
                             .matrix = cell.head,
                             .skip = cell.row};
  return row.kernels(op.kernel);
}

}  // namespace

Shape result_shape(const LinearWeights&, Shapes inputs) {
  check_pairs(inputs[1], inputs[2], {1, 1, 1});
  if (inputs[0] != Shape{1, inputs[1].rows, inputs[2].rows})
    throw Error("weights of " + to_string(inputs[0]) + " do not fit " + std::to_string(inputs[1].rows) +
                " queries and " + std::to_string(inputs[2].rows) + " keys");
  return inputs[0];
}

Shape result_shape(const KernelEstimate&, Shapes inputs) {
  check_pairs(inputs[0], inputs[1], inputs[3]);
  check_values(inputs[1], inputs[2]);
  return {1, inputs[0].rows, inputs[2].columns};
}

Shape result_shape(const LeaveOneOut&, Shapes inputs) {
  const Shape widths = inputs[2];
  check_pairs(inputs[0], inputs[0], {1, widths.rows, widths.columns});
  check_values(inputs[0], inputs[1]);
  return {widths.stack, inputs[0].rows, 1};
}

Explanation explain(const LinearWeights&, Inputs inputs, Cell cell) {
  const Operand w = operand(inputs, 0, cell);
  const double query = inputs[1][{0, cell.row, 0}], key = inputs[2][{0, cell.column, 0}];
  const WeightedPlace place = place_of(
      inputs[0].values().subspan(cell.row * inputs[0].columns(), inputs[0].columns()), inputs[2].values());
  const double value = linear_weight(inputs[0][cell], place, query, key);
  if (!(inputs[0][cell] >= kLeastWeight) || !(place.spread > 0))
    return only(
        place.spread > 0 ? "no weight to speak of: 0" : "all weight at one place: the weight as it is",
        {.operands = {w}, .value = value});
  Explanation e = only("weight × (1 + (q − mean)(k − mean) ÷ spread)",
                       {.operands = {w, constant(place.factor(query, key), "tilt")}, .value = value});
  e.formula = {cell_of(0, cell),
               words(" × (1 + ("),
               number_of(query, " − "),
               number_of(place.origin + place.mean, ") × ("),
               number_of(key, " − "),
               number_of(place.origin + place.mean, ") ÷ "),
               number_of(place.spread, ")")};
  e.passages = {{words("tilted by "), number_of(place.factor(query, key))}};
  return e;
}

Explanation explain(const KernelEstimate& op, Inputs inputs, Cell cell) {
  const KernelRow<float> row{
      .keys = inputs[1], .widths = inputs[3], .query = inputs[0][{0, cell.row, 0}], .row = cell.row};
  const std::vector<double> kernels = row.kernels(op.kernel);
  double sum = 0;
  for (const double k : kernels) sum += k;
  if (sum == 0) return {.rule = "no key in reach: undefined", .result = estimate_of(kernels, inputs[2], 0)};
  std::vector<Term> terms;
  for (std::size_t j = 0; j < kernels.size(); ++j) {
    if (kernels[j] == 0) continue;
    const Operand v = operand(inputs, 2, {0, j, cell.column});
    terms.push_back(
        {.operands = {constant(kernels[j] / sum, "weight"), v}, .value = kernels[j] / sum * v.value});
  }
  return sum_of("Σ weight × value over the keys in reach", std::move(terms));
}

Explanation explain(const LeaveOneOut& op, Inputs inputs, Cell cell) {
  const std::vector<double> kernels = others_of(op, inputs, cell);
  std::vector<Term> terms;
  for (std::size_t column = 0; column < inputs[1].columns(); ++column) {
    const Operand v = operand(inputs, 1, {0, cell.row, column});
    const double off = v.value - estimate_of(kernels, inputs[1], column);
    terms.push_back({.operands = {v, constant(v.value - off, "estimate")}, .value = off * off});
  }
  Explanation e = sum_of("squared error of the estimate from all other points", std::move(terms));
  e.writing = {.before = "(", .between = "−", .after = ")²"};
  return e;
}

Regions reach(const LinearWeights&, Shapes inputs, std::size_t input, Cell cell) {
  const std::size_t rows = inputs[0].rows, keys = inputs[0].columns;
  if (input == 2) return {{0, 0, 0}, {1, rows, keys}};
  return {{0, cell.row, 0}, {1, cell.row + 1, keys}};
}

Regions reach(const KernelEstimate&, Shapes inputs, std::size_t input, Cell cell) {
  const std::size_t rows = inputs[0].rows, columns = inputs[2].columns;
  if (input == 0 || (input == 3 && inputs[3].rows > 1)) return {{0, cell.row, 0}, {1, cell.row + 1, columns}};
  if (input == 2) return {{0, 0, cell.column}, {1, rows, cell.column + 1}};
  return {{0, 0, 0}, {1, rows, columns}};
}

Regions reach(const LeaveOneOut&, Shapes inputs, std::size_t input, Cell cell) {
  const Shape widths = inputs[2];
  if (input != 2) return {{0, 0, 0}, {widths.stack, inputs[0].rows, 1}};
  const bool row = widths.rows > 1;
  return {{cell.head, row ? cell.row : 0, 0}, {cell.head + 1, row ? cell.row + 1 : inputs[0].rows, 1}};
}

Traits traits(const LinearWeights&, Shapes, const Shape& result) {
  return {.multiply_adds = 4 * size_of(result)};
}
Traits traits(const KernelEstimate&, Shapes inputs, const Shape&) {
  const double pairs = times(inputs[0].rows, inputs[1].rows);
  return {.multiply_adds = kPairWork * pairs * static_cast<double>(inputs[2].columns), .long_rows = true};
}
Traits traits(const LeaveOneOut&, Shapes inputs, const Shape& result) {
  const double others = times(inputs[0].rows, inputs[1].columns);
  return {.multiply_adds = kPairWork * size_of(result) * others, .long_rows = true};
}

// What is squared is the difference of a value and a mean of values, each as large as the largest.
double size_of_terms(const LeaveOneOut&, Inputs inputs) {
  double largest = 0;
  for (const float v : inputs[1].values()) largest = std::max(largest, std::abs(static_cast<double>(v)));
  return 4 * static_cast<double>(inputs[1].columns()) * largest * largest;
}

RowReads cut(LinearWeights&, Shapes inputs, const RowRange&) {
  return same_rows(inputs, {2});
}
RowReads cut(KernelEstimate&, Shapes inputs, const RowRange&) {
  return inputs[3].rows == inputs[0].rows ? same_rows(inputs, {1, 2}) : same_rows(inputs, {1, 2, 3});
}
RowReads cut(LeaveOneOut&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const LinearWeights&, Shapes, const Shape&) {
  return no_way_back(kFitsNothing);
}
Backward backward(const KernelEstimate&, Shapes, const Shape&) {
  return no_way_back(kFitsNothing);
}
Backward backward(const LeaveOneOut&, Shapes, const Shape&) {
  return no_way_back(kFitsNothing);
}

template struct Family<LinearWeights>;
template struct Family<KernelEstimate>;
template struct Family<LeaveOneOut>;

}  // namespace attn
