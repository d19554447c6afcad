// The way back through a row for each pair of a query and a key: which shapes fit, the arithmetic of one
// number in words, and where it goes.
#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/hidden.h"
#include "core/operations/score_pairs.h"
#include "core/system/error.h"

namespace attn {
namespace {

void refuse_side_of_pairs(bool refused, const char* what, const char* which) {
  if (refused) throw Error(std::string(what) + ": choose " + which);
}

// The row of a score's pair.
Cell row_of_score(Cell score, std::size_t keys) {
  return {score.head, score.row * keys + score.column, 0};
}

Explanation explain_flow_to_pair(Inputs inputs, Cell cell) {
  const std::size_t keys = inputs[0].columns();
  const Operand g = operand(inputs, 0, {cell.head, cell.row / keys, cell.row % keys});
  const Operand v = operand(inputs, 1, {0, 0, cell.column});
  Explanation e = only(g.value == 0 ? "nothing flows into this pair: 0" : "what flows in × v",
                       product_or_hidden(g.value == 0, {g, v}));
  e.formula = {cell_of(0, g.cell), words("·"), cell_of(1, v.cell)};
  return e;
}

Explanation explain_weighed_pairs(Inputs inputs, Cell cell) {
  const Shape scores = inputs[0].shape();
  std::vector<Term> terms;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Operand g = operand(inputs, 0, cell_at(scores, i));
    Cell pair = row_of_score(g.cell, scores.columns);
    pair.column = cell.column;
    const Operand x = operand(inputs, 1, pair);
    terms.push_back(product_or_hidden(g.value == 0, {g, x}));
  }
  Explanation e = sum_of("Σ over all pairs of what flows in × the pair’s number", std::move(terms));
  e.formula = {words("Σ over all pairs of "), part_of(0, ""), words("·"), part_of(1, "")};
  return e;
}

}  // namespace

Shape result_shape(const PairSumGradient& op, Shapes inputs) {
  const Shape g = inputs[0];
  refuse_side_of_pairs(op.of == ScoreSide::vector, "sums of pairs have no vector", "queries or keys");
  if (op.keys == 0 ? g.rows != 0 : g.rows % op.keys != 0)
    throw Error(std::to_string(g.rows) + " pairs are no whole number of rows of " + std::to_string(op.keys) +
                " keys");
  if (op.of == ScoreSide::queries) return {g.stack, op.keys == 0 ? 0 : g.rows / op.keys, g.columns};
  if (op.summed == 0 || g.stack % op.summed != 0)
    throw Error("pairs of " + std::to_string(g.stack) + " heads cannot be added up " +
                std::to_string(op.summed) + " by " + std::to_string(op.summed) +
                ": that number must divide the heads");
  return {g.stack / op.summed, op.keys, g.columns};
}

Shape result_shape(const PairProductGradient& op, Shapes inputs) {
  const Shape g = inputs[0], other = inputs[1];
  refuse_side_of_pairs(op.of == ScoreSide::keys, "pairs are of queries and keys at once",
                       "queries or the vector");
  const std::size_t pairs = g.rows * g.columns;
  if (op.of == ScoreSide::vector) {
    if (other.stack != g.stack || other.rows != pairs)
      throw Error("pairs of " + to_string(other) + " do not belong to scores of " + to_string(g) +
                  ": they need " + std::to_string(pairs) + " rows a head");
    return {1, 1, other.columns};
  }
  if (other.stack != 1 || other.rows != 1)
    throw Error("a vector of " + to_string(other) + " does not weigh pairs: give it one row");
  return {g.stack, pairs, other.columns};
}

Explanation explain(const PairSumGradient& op, Inputs inputs, Cell cell) {
  const ScorePairs pairs = score_pairs(op, inputs[0].shape());
  std::vector<Term> terms;
  for (std::size_t i = 0; i < pairs.count(); ++i) {
    const Operand g = operand(inputs, 0, pairs.at(cell, i).row(op.keys));
    terms.push_back({.operands = {g}, .value = g.value});
  }
  const bool of_queries = op.of == ScoreSide::queries;
  Explanation e =
      sum_of(of_queries       ? "Σ of what flows into the query’s pairs"
             : op.summed == 1 ? "Σ of what flows into the key’s pairs"
                              : "Σ of what flows into the key’s pairs, over the heads that share it",
             std::move(terms));
  e.formula = {words(of_queries ? "Σ over keys of " : "Σ over queries of "), part_of(0, "")};
  return e;
}

Explanation explain(const PairProductGradient& op, Inputs inputs, Cell cell) {
  return op.of == ScoreSide::vector ? explain_weighed_pairs(inputs, cell)
                                    : explain_flow_to_pair(inputs, cell);
}

Regions reach(const PairSumGradient& op, Shapes, std::size_t, Cell cell) {
  if (op.of == ScoreSide::queries) return region({cell.head, cell.row / op.keys, cell.column});
  return region({cell.head / op.summed, cell.row % op.keys, cell.column});
}
Regions reach(const PairProductGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape g = inputs[0];
  if (op.of == ScoreSide::vector)
    return input == 0 ? Regions({0, 0, 0}, {1, 1, inputs[1].columns}) : region({0, 0, cell.column});
  if (input == 1) return {{0, 0, cell.column}, {g.stack, g.rows * g.columns, cell.column + 1}};
  const Cell pair = row_of_score(cell, g.columns);
  return {pair, {pair.head + 1, pair.row + 1, inputs[1].columns}};
}

Traits traits(const PairSumGradient&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0]), .counted = size_of(inputs[0])};
}
Traits traits(const PairProductGradient& op, Shapes inputs, const Shape& result) {
  const bool summed = op.of == ScoreSide::vector;
  const double products = summed ? size_of(inputs[1]) : size_of(result);
  return {.multiply_adds = products, .counted = (summed ? 2 : 1) * products};
}

double size_of_terms(const PairSumGradient& op, Inputs inputs) {
  const Shape shape = inputs[0].shape(), result = result_shape(op, std::vector{shape});
  const ScorePairs pairs = score_pairs(op, shape);
  double largest = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    double sum = 0;
    for (std::size_t other = 0; other < pairs.count(); ++other)
      sum += std::abs(static_cast<double>(inputs[0][pairs.at(cell_at(result, i), other).row(op.keys)]));
    largest = std::max(largest, sum);
  }
  return largest;
}

double size_of_terms(const PairProductGradient& op, Inputs inputs) {
  if (op.of != ScoreSide::vector) return 0;
  double largest = 0, sum = 0;
  for (const float x : inputs[1].values()) largest = std::max(largest, std::abs(static_cast<double>(x)));
  for (const float g : inputs[0].values()) sum += std::abs(static_cast<double>(g));
  return largest * sum;
}

// A row of the result is no row of what flows in.
RowReads cut(PairSumGradient&, Shapes, const RowRange&) {
  return std::nullopt;
}
RowReads cut(PairProductGradient&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const PairSumGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}
Backward backward(const PairProductGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<PairSumGradient>;
template struct Family<PairProductGradient>;

}  // namespace attn
