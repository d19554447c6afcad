// Kernels number by number: distances in widths, what they count, and how it is explained.
#include "core/operations/kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/operations/family.h"
#include "core/operations/kernel_row.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Of queries, keys and widths: the widths of all queries are read by each, where there are such.
RowReads reads_of_pairs(Shapes inputs) {
  return inputs[2].rows == inputs[0].rows ? same_rows(inputs, {1}) : same_rows(inputs, {1, 2});
}

KernelRow<float> row_at(Inputs inputs, std::size_t query) {
  return {.keys = inputs[1], .widths = inputs[2], .query = inputs[0][{0, query, 0}], .row = query};
}

Cell width_cell(const Tensor& widths, Cell cell) {
  return {0, widths.rows() == 1 ? 0 : cell.row, widths.columns() == 1 ? 0 : cell.column};
}

// The pairs of query and key that a number of q, k or σ goes into.
Region pairs_of(Shapes inputs, std::size_t input, Cell cell) {
  const std::size_t n = inputs[0].rows, m = inputs[1].rows;
  const bool row = input == 0 || (input == 2 && inputs[2].rows > 1);
  const bool column = input == 1 || (input == 2 && inputs[2].columns > 1);
  const std::size_t key = input == 1 ? cell.row : cell.column;
  return {{0, row ? cell.row : 0, column ? key : 0}, {1, row ? cell.row + 1 : n, column ? key + 1 : m}};
}

}  // namespace

double kernel_distance(double query, double key, double width) {
  const double distance = query - key;
  return distance == 0 ? 0 : distance / width;
}

double kernel_value(Kernel kernel, double u) {
  if (kernel == Kernel::constant) return 1;
  if (kernel == Kernel::gaussian) return std::exp(-u * u / 2);
  if (std::isnan(u)) return u;
  const float edge = static_cast<float>(std::abs(u));
  if (edge > 1) return 0;
  const double a = edge == 1 ? 1 : std::abs(u);
  switch (kernel) {
    case Kernel::boxcar:
      return 1;
    case Kernel::triangular:
      return 1 - a;
    case Kernel::epanechnikov:
      return 0.75 * (1 - a) * (1 + a);
    case Kernel::biweight:
      return (1 - a) * (1 + a) * (1 - a) * (1 + a);
    case Kernel::tricube:
      return std::pow((1 - a) * (1 + a + a * a), 3);
    case Kernel::cosine:  // the cosine of the float next to π/2 is not 0
      return std::sin(std::numbers::pi * (1 - a) / 2);
    case Kernel::gaussian:
    case Kernel::constant:
    case Kernel::dot:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void check_pairs(Shape queries, Shape keys, Shape widths) {
  if (queries.stack != 1 || keys.stack != 1 || queries.columns != 1 || keys.columns != 1)
    throw Error("queries of " + to_string(queries) + " and keys of " + to_string(keys) +
                " are no columns: regression has one number each");
  if ((widths.rows != 1 && widths.rows != queries.rows) ||
      (widths.columns != 1 && widths.columns != keys.rows))
    throw Error("widths of " + to_string(widths) + " do not fit " + std::to_string(queries.rows) +
                " queries and " + std::to_string(keys.rows) +
                " keys: give one for all, for each query or for each key");
}

Shape result_shape(const KernelDistance&, Shapes inputs) {
  check_pairs(inputs[0], inputs[1], inputs[2]);
  return {1, inputs[0].rows, inputs[1].rows};
}

Shape result_shape(const KernelValue& op, Shapes inputs) {
  if (op.kernel == Kernel::dot)
    throw Error("the dot product is no kernel of a distance: use the exponent of queries and keys");
  return inputs[0];
}

Shape result_shape(const KernelExponent& op, Shapes inputs) {
  if (!is_exponential(op.kernel))
    throw Error("the " + std::string(kernel_text(op.kernel).title) + " kernel is no exponential");
  check_pairs(inputs[0], inputs[1], inputs[2]);
  return {1, inputs[0].rows, inputs[1].rows};
}

Shape result_shape(const NeighbourWidth& op, Shapes inputs) {  // throws Error for the 0th, or of no keys
  check_pairs(inputs[0], inputs[1], {1, 1, 1});
  if (op.count == 0) throw Error("there is no 0th nearest neighbour: use 1 or more");
  if (inputs[1].rows == 0) throw Error("there are no points, and so no neighbour: add one");
  return inputs[0];
}

Explanation explain(const KernelDistance&, Inputs inputs, Cell cell) {
  const Cell query{0, cell.row, 0}, key{0, cell.column, 0}, width = width_cell(inputs[2], cell);
  const Operand q = operand(inputs, 0, query), k = operand(inputs, 1, key), s = operand(inputs, 2, width);
  Explanation e = only("(query − key) ÷ width",
                       {.operands = {q, k, s}, .value = kernel_distance(q.value, k.value, s.value)});
  e.writing.between = ",";
  e.formula = {words("("), number_of(q.value, " − "), number_of(k.value, ") ÷ "), number_of(s.value)};
  e.passages = {{words("less "), number_of(k.value, ", in widths of "), number_of(s.value)},
                {words("taken from "), number_of(q.value, ", in widths of "), number_of(s.value)},
                {words("the distance is counted in this width")}};
  return e;
}

Explanation explain(const KernelValue& op, Inputs inputs, Cell cell) {
  const Operand u = operand(inputs, 0, cell);
  const std::string formula(kernel_text(op.kernel).formula);
  const bool outside =
      op.kernel != Kernel::gaussian && op.kernel != Kernel::constant && std::abs(u.value) > 1;
  Explanation e = only(outside ? "beyond its reach: 0" : formula,
                       {.operands = {u}, .value = kernel_value(op.kernel, u.value)});
  e.writing = {.before = "κ(", .after = ")"};
  e.formula = {words("κ("), cell_of(0, cell), words(outside ? ") = 0, as |u| > 1" : ") = " + formula)};
  e.passages = {{words("κ("), number_of(u.value, ")")}};
  return e;
}

Explanation explain(const KernelExponent& op, Inputs inputs, Cell cell) {
  const KernelRow<float> row = row_at(inputs, cell.row);
  const std::size_t best = *row.largest(op.kernel);
  const Operand k = operand(inputs, 1, {0, cell.column, 0}), nearest = operand(inputs, 1, {0, best, 0});
  Explanation e = only("less the largest of the row, that of key " + std::to_string(best),
                       {.operands = {k, nearest}, .value = row.exponent(op.kernel, cell.column, best)});
  if (op.kernel == Kernel::dot) {
    e.writing = {.before = "q × (", .between = "−", .after = ")"};
    e.formula = {words("q·k less the largest: "), number_of(row.query, " × ("), number_of(k.value, " − "),
                 number_of(nearest.value, ")")};
  } else {
    const double u = row.distance(cell.column), least = row.distance(best);
    e.writing = {.before = "−(u(", .between = ")² − u(", .after = ")²) ÷ 2"};
    e.formula = {words("−u²/2 less the largest: −("), number_of(u, "² − "), number_of(least, "²) ÷ 2")};
  }
  e.passages = {{words("compared with "), number_of(nearest.value, ", the key that counts most")}};
  return e;
}

Explanation explain(const NeighbourWidth& op, Inputs inputs, Cell cell) {
  const Operand q = operand(inputs, 0, cell);
  std::vector<std::size_t> order(inputs[1].rows());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  const auto distance = [&](std::size_t j) {
    return std::abs(q.value - static_cast<double>(inputs[1].values()[j]));
  };
  const std::size_t which = std::min(op.count, order.size());
  std::ranges::stable_sort(order, {}, distance);
  const Operand k = operand(inputs, 1, {0, order[which - 1], 0});
  Explanation e =
      only("distance to neighbour " + std::to_string(which) + ", key " + std::to_string(order[which - 1]),
           {.operands = {q, k}, .value = distance(order[which - 1])});
  e.writing = {.before = "|", .between = "−", .after = "|"};
  e.passages = {{words("the width that reaches neighbour "), words(std::to_string(which))}};
  return e;
}

Regions reach(const KernelDistance&, Shapes inputs, std::size_t input, Cell cell) {
  return pairs_of(inputs, input, cell);
}

Regions reach(const KernelValue&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

// Any key may be the nearest, to which the others are compared.
Regions reach(const KernelExponent&, Shapes inputs, std::size_t input, Cell cell) {
  const bool row = input == 0 || (input == 2 && inputs[2].rows > 1);
  return {{0, row ? cell.row : 0, 0}, {1, row ? cell.row + 1 : inputs[0].rows, inputs[1].rows}};
}

Regions reach(const NeighbourWidth&, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return region(cell);
  return {{0, 0, 0}, {1, inputs[0].rows, 1}};
}

Traits traits(const KernelDistance&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const KernelValue&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const KernelExponent&, Shapes, const Shape& result) {
  return {.multiply_adds = 2 * kPairWork * size_of(result)};
}
Traits traits(const NeighbourWidth&, Shapes inputs, const Shape&) {
  return {.multiply_adds = times(inputs[0].rows, inputs[1].rows)};
}

RowReads cut(KernelDistance&, Shapes inputs, const RowRange&) {
  return reads_of_pairs(inputs);
}
RowReads cut(KernelValue&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(KernelExponent&, Shapes inputs, const RowRange&) {
  return reads_of_pairs(inputs);
}
RowReads cut(NeighbourWidth&, Shapes inputs, const RowRange&) {
  return same_rows(inputs, {1});
}

Backward backward(const KernelDistance&, Shapes, const Shape&) {
  return no_way_back(kFitsNothing);
}
Backward backward(const KernelValue&, Shapes, const Shape&) {
  return no_way_back(kFitsNothing);
}
Backward backward(const KernelExponent&, Shapes, const Shape&) {
  return no_way_back(kFitsNothing);
}
Backward backward(const NeighbourWidth&, Shapes, const Shape&) {
  return no_way_back(kFitsNothing);
}

template struct Family<KernelDistance>;
template struct Family<KernelValue>;
template struct Family<KernelExponent>;
template struct Family<NeighbourWidth>;

}  // namespace attn
