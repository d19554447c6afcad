// The way back through tanh, columns, distances and additive scores: which shapes fit, the arithmetic of one
// number in words, and where it goes.
#include "core/operations/scoring_gradient.h"

#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/hidden.h"
#include "core/operations/score_pairs.h"
#include "core/operations/scoring.h"
#include "core/operations/written.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kSlopeWork = 20;  // multiply-adds of one slope of tanh, or one tanh
// Of a pair and a feature: the difference, twice, times what flows in, added.
constexpr double kDistanceOperations = 4;
// The sum, tanh, its square, 1 less that, two products, added; to the vector the sum, tanh, a product, added.
constexpr double kAdditiveOperations = 7, kVectorOperations = 4;

constexpr std::size_t kDistanceFlow = 2;                       // the input that flows in
constexpr std::size_t kAdditiveVector = 2, kAdditiveFlow = 3;  // and v

void check_flow_of_scores(const Shape& g, const Shape& scores) {
  if (g != scores)
    throw Error("a gradient of " + to_string(g) + " is not that of scores of " + to_string(scores));
}

// The rows of the result that a number of Q, K or G goes into, `width` columns from cell.column on; `flow`:
// the input that G is.
Regions reach_scored(ScoreSide of, Shapes inputs, std::size_t flow, std::size_t input, Cell cell,
                     std::size_t width) {
  const Shape &q = inputs[0], &k = inputs[1];
  const std::size_t group = q.stack / k.stack;
  if (of == ScoreSide::queries) {
    if (input == 0) return region(cell);
    if (input == flow) return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, width}};
    return {{cell.head * group, 0, cell.column}, {(cell.head + 1) * group, q.rows, cell.column + 1}};
  }
  if (input == 1) return region(cell);
  const std::size_t keys = cell.head / group;
  if (input == flow) return {{keys, cell.column, 0}, {keys + 1, cell.column + 1, width}};
  return {{keys, 0, cell.column}, {keys + 1, k.rows, cell.column + 1}};
}

double largest_of_sizes(const Tensor& x) {
  double largest = 0;
  for (const float number : x.values()) largest = std::max(largest, std::abs(static_cast<double>(number)));
  return largest;
}

// The largest Σ|g| of a row of queries or of keys.
double largest_flow(const ScorePairs& pairs, const Shape& own, const Tensor& g) {
  double largest = 0;
  for (Cell row; row.head < own.stack; ++row.head)
    for (row.row = 0; row.row < own.rows; ++row.row) {
      double sum = 0;
      for (std::size_t i = 0; i < pairs.count(); ++i)
        sum += std::abs(static_cast<double>(g[pairs.at(row, i).score()]));
      largest = std::max(largest, sum);
    }
  return largest;
}

// "query[3]" and "keys", as the formulas of a sum over the pairs of a row name them.
std::vector<FormulaPiece> over_row(ScoreSide of, std::size_t flow, Cell cell, const std::string& factors,
                                   const std::string& between, const std::string& after) {
  const int g = static_cast<int>(flow);
  const std::string row = in_brackets(cell.row);
  if (of == ScoreSide::queries)
    return {words("Σ over "), columns_of(g),  words(" of "),  part_of(g, row), words(factors),
            part_of(0, row),  words(between), part_of(1, ""), words(after)};
  return {words("Σ over queries of "),
          part_of(g, ""),
          words(factors),
          part_of(1, row),
          words(between),
          part_of(0, ""),
          words(after)};
}

Explanation explain_additive_row(ScoreSide of, Inputs inputs, Cell cell) {
  const ScorePairs pairs = score_pairs(of, inputs[0].shape(), inputs[1].shape());
  const bool of_queries = of == ScoreSide::queries;
  const Operand v = operand(inputs, kAdditiveVector, {0, 0, cell.column});
  std::vector<Term> terms;
  for (std::size_t i = 0; i < pairs.count(); ++i) {
    const ScorePair pair = pairs.at(cell, i);
    const Operand g = operand(inputs, kAdditiveFlow, pair.score());
    const double q = inputs[0][pair.query], k = inputs[1][pair.key];
    Operand slope = of_queries ? operand(inputs, 1, pair.key) : operand(inputs, 0, pair.query);
    slope.value = tanh_slope(q + k);
    slope.text = "(1 − tanh(" + written(q) + " + " + written(k) + ")²)";
    terms.push_back(product_or_hidden(g.value == 0, {g, v, slope}));
  }
  Explanation e = sum_of(of_queries ? "Σ over keys of what flows in × v × the slope of tanh"
                                    : "Σ over queries of what flows in × v × the slope of tanh",
                         std::move(terms));
  if (of_queries) e.over = kAdditiveFlow;
  e.formula = over_row(of, kAdditiveFlow, cell, "·v·(1 − tanh(", " + ", ")²)");
  return e;
}

Explanation explain_additive_vector(Inputs inputs, Cell cell) {
  const ScorePairs pairs = score_pairs(ScoreSide::queries, inputs[0].shape(), inputs[1].shape());
  std::vector<Term> terms;
  for (Cell own{0, 0, cell.column}; own.head < inputs[0].stack(); ++own.head)
    for (own.row = 0; own.row < inputs[0].rows(); ++own.row)
      for (std::size_t i = 0; i < pairs.count(); ++i) {
        const ScorePair pair = pairs.at(own, i);
        const Operand g = operand(inputs, kAdditiveFlow, pair.score());
        const double q = inputs[0][pair.query], k = inputs[1][pair.key];
        Operand bent = operand(inputs, 0, pair.query);
        bent.value = std::tanh(q + k), bent.text = "tanh(" + written(q) + " + " + written(k) + ")";
        terms.push_back(product_or_hidden(g.value == 0, {g, bent}));
      }
  Explanation e = sum_of("Σ over all pairs of what flows in × tanh(query + key)", std::move(terms));
  e.formula = {words("Σ over all pairs of "),
               part_of(kAdditiveFlow, ""),
               words("·tanh("),
               part_of(0, ""),
               words(" + "),
               part_of(1, ""),
               words(")")};
  return e;
}

}  // namespace

Shape result_shape(const TanhGradient& op, Shapes inputs) {
  const Shape result = Family<Tanh>::result_shape({op.cap}, inputs.first(1));
  if (inputs[1] != result)
    throw Error("a gradient of " + to_string(inputs[1]) + " is not that of numbers of " + to_string(result));
  return result;
}
Shape result_shape(const PutColumns& op, Shapes inputs) {
  const Shape x = inputs[0];
  if (op.first > op.width || x.columns > op.width - op.first)
    throw Error(to_string(x) + " does not fit into " + std::to_string(op.width) + " columns from " +
                std::to_string(op.first) + " on");
  return {x.stack, x.rows, op.width};
}
Shape result_shape(const DistanceGradient& op, Shapes inputs) {
  if (op.of == ScoreSide::vector) throw Error("distances have no vector: choose queries or keys");
  check_flow_of_scores(inputs[kDistanceFlow], Family<SquaredDistance>::result_shape({}, inputs.first(2)));
  return inputs[op.of == ScoreSide::queries ? 0 : 1];
}
Shape result_shape(const AdditiveGradient& op, Shapes inputs) {
  check_flow_of_scores(inputs[kAdditiveFlow], Family<AdditiveScore>::result_shape({}, inputs.first(3)));
  return inputs[op.of == ScoreSide::queries ? 0 : op.of == ScoreSide::keys ? 1 : kAdditiveVector];
}

Explanation explain(const TanhGradient& op, Inputs inputs, Cell cell) {
  const Operand g = operand(inputs, 1, cell);
  Operand slope = operand(inputs, 0, cell);
  const std::string share = written(slope.value) + (op.cap == 1 ? "" : " ÷ " + brief(op.cap));
  slope.text = "(1 − (" + share + ")²)", slope.value = slope_of_result(op, slope.value);
  Explanation e =
      only("what flows in × the slope of tanh", {.operands = {g, slope}, .value = g.value * slope.value});
  e.formula = {cell_of(1, cell), words("·(1 − ("), cell_of(0, cell),
               words(op.cap == 1 ? ")²)" : " ÷ " + brief(op.cap) + ")²)")};
  return e;
}

Explanation explain(const PutColumns& op, Inputs inputs, Cell cell) {
  if (cell.column < op.first || cell.column - op.first >= inputs[0].columns())
    return only("outside the columns that were taken: 0", {.operands = {constant(0, "0")}, .value = 0});
  const Cell from{cell.head, cell.row, cell.column - op.first};
  const Operand x = operand(inputs, 0, from);
  Explanation e = only("column " + std::to_string(from.column), {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from)};
  return e;
}

Explanation explain(const DistanceGradient& op, Inputs inputs, Cell cell) {
  const ScorePairs pairs = score_pairs(op.of, inputs[0].shape(), inputs[1].shape());
  const bool of_queries = op.of == ScoreSide::queries;
  const double own = inputs[of_queries ? 0 : 1][cell];
  std::vector<Term> terms;
  for (std::size_t i = 0; i < pairs.count(); ++i) {
    const ScorePair pair = pairs.at(cell, i);
    const Operand g = operand(inputs, kDistanceFlow, pair.score());
    Operand apart = of_queries ? operand(inputs, 1, pair.key) : operand(inputs, 0, pair.query);
    apart.text = "(" + written(own) + " − " + written(apart.value) + ")", apart.value = own - apart.value;
    terms.push_back(product_or_hidden(g.value == 0, {constant(2, "2"), g, apart}));
  }
  Explanation e = sum_of(of_queries ? "Σ over keys of 2 × what flows in × (query − key)"
                                    : "Σ over queries of 2 × what flows in × (key − query)",
                         std::move(terms));
  if (of_queries) e.over = kDistanceFlow;
  e.formula = over_row(op.of, kDistanceFlow, cell, "·2(", " − ", ")");
  return e;
}

Explanation explain(const AdditiveGradient& op, Inputs inputs, Cell cell) {
  return op.of == ScoreSide::vector ? explain_additive_vector(inputs, cell)
                                    : explain_additive_row(op.of, inputs, cell);
}

Regions reach(const TanhGradient&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}
Regions reach(const PutColumns& op, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, op.first + cell.column});
}
Regions reach(const DistanceGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  return reach_scored(op.of, inputs, kDistanceFlow, input, cell, inputs[0].columns);
}
Regions reach(const AdditiveGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  const std::size_t width = inputs[0].columns;
  if (op.of == ScoreSide::vector) {
    if (input == kAdditiveVector) return {};
    return input == kAdditiveFlow ? Regions({0, 0, 0}, {1, 1, width}) : region({0, 0, cell.column});
  }
  const Shape& result = inputs[op.of == ScoreSide::queries ? 0 : 1];
  if (input == kAdditiveVector) return {{0, 0, cell.column}, {result.stack, result.rows, cell.column + 1}};
  return reach_scored(op.of, inputs, kAdditiveFlow, input, cell, width);
}

Traits traits(const TanhGradient&, Shapes, const Shape& result) {
  return {.multiply_adds = 2 * size_of(result), .counted = 3 * size_of(result)};
}
Traits traits(const PutColumns&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .counted = 0, .stays_in_format = true};
}
Traits traits(const DistanceGradient&, Shapes inputs, const Shape&) {
  const double all = size_of(inputs[kDistanceFlow]) * static_cast<double>(inputs[0].columns);
  return {.multiply_adds = kDistanceOperations * all, .counted = kDistanceOperations * all};
}
Traits traits(const AdditiveGradient& op, Shapes inputs, const Shape&) {
  const double all = size_of(inputs[kAdditiveFlow]) * static_cast<double>(inputs[0].columns);
  return {.multiply_adds = kSlopeWork * all,
          .counted = (op.of == ScoreSide::vector ? kVectorOperations : kAdditiveOperations) * all};
}

double size_of_terms(const DistanceGradient& op, Inputs inputs) {
  const ScorePairs pairs = score_pairs(op.of, inputs[0].shape(), inputs[1].shape());
  return 2 * (largest_of_sizes(inputs[0]) + largest_of_sizes(inputs[1])) *
         largest_flow(pairs, inputs[op.of == ScoreSide::queries ? 0 : 1].shape(), inputs[kDistanceFlow]);
}

// No tanh and no slope is above 1.
double size_of_terms(const AdditiveGradient& op, Inputs inputs) {
  const Tensor& g = inputs[kAdditiveFlow];
  if (op.of == ScoreSide::vector) {
    double sum = 0;
    for (const float flows : g.values()) sum += std::abs(static_cast<double>(flows));
    return sum;
  }
  const ScorePairs pairs = score_pairs(op.of, inputs[0].shape(), inputs[1].shape());
  return largest_of_sizes(inputs[kAdditiveVector]) *
         largest_flow(pairs, inputs[op.of == ScoreSide::queries ? 0 : 1].shape(), g);
}

RowReads cut(TanhGradient&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(PutColumns&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
// Rows of keys read columns of what flows in.
RowReads cut(DistanceGradient& op, Shapes inputs, const RowRange&) {
  if (op.of != ScoreSide::queries) return std::nullopt;
  return same_rows(inputs, {1});
}
RowReads cut(AdditiveGradient& op, Shapes inputs, const RowRange&) {
  if (op.of != ScoreSide::queries) return std::nullopt;
  return same_rows(inputs, {1, kAdditiveVector});
}

Backward backward(const TanhGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}
Backward backward(const PutColumns&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}
Backward backward(const DistanceGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}
Backward backward(const AdditiveGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<TanhGradient>;
template struct Family<PutColumns>;
template struct Family<DistanceGradient>;
template struct Family<AdditiveGradient>;

}  // namespace attn
