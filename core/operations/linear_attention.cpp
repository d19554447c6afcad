// Linear attention: shapes, the keys that masks leave, and how its numbers are explained.
#include "core/operations/linear_attention.h"

#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/linear_row.h"
#include "core/operations/linear_shapes.h"
#include "core/system/error.h"

namespace attn {
namespace {

// A rule that does not leave each query its first keys, in words; empty: all do.
std::string rule_that_does_not_fit(const std::vector<MaskTerm>& masks) {
  for (const MaskTerm& term : masks) {
    const std::string rule = name(term.rule);
    if (term.negated) return "not " + rule;
    if (&term != &masks.front() && term.join == Join::all) return "and " + rule;
    const auto* padding = std::get_if<PaddingRule>(&term.rule);
    if (padding && padding->lengths.size() > 1) return rule + " of several lengths";
    if (!padding && !std::holds_alternative<CausalRule>(term.rule)) return rule;
  }
  return {};
}

}  // namespace

bool leaves_first_keys(const std::vector<MaskTerm>& masks) {
  return rule_that_does_not_fit(masks).empty();
}

std::size_t keys_seen(const LinearAttention& op, std::size_t query, std::size_t queries, std::size_t keys) {
  const MaskPlace place{queries, keys, query, 0, op.first};
  std::size_t seen = keys;
  for (const MaskTerm& term : op.masks) {
    if (const auto* padding = std::get_if<PaddingRule>(&term.rule))
      seen = std::min(seen, valid_length(*padding, place));
    if (const auto* causal = std::get_if<CausalRule>(&term.rule))
      seen =
          std::min(seen, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, last_key(*causal, place) + 1)));
  }
  return seen;
}

std::size_t first_query_of(const LinearAttention& op, std::size_t queries, std::size_t keys,
                           std::size_t key) {
  std::size_t query = 0;
  while (query < queries && keys_seen(op, query, queries, keys) <= key) ++query;
  return query;
}

LinearWork::LinearWork(const LinearAttention& op, Shapes inputs)
    : queries(times(inputs[0].stack, inputs[0].rows)),
      features(static_cast<double>(inputs[0].columns)),
      values(static_cast<double>(inputs[2].columns)),
      pairs(queries * static_cast<double>(inputs[1].rows)) {
  const std::size_t n = inputs[0].rows, m = inputs[1].rows;
  keys = times(inputs[1].stack, n > 0 ? keys_seen(op, n - 1, n, m) : 0);
}

Explanation explained_sum(std::vector<Term> terms, const char* rule, const char* none) {
  if (terms.empty()) return {.rule = none};
  return sum_of(rule, std::move(terms));
}

double length_of(const Tensor& x, std::size_t matrix, std::size_t row) {
  double squares = 0;
  for (std::size_t i = 0; i < x.columns(); ++i) {
    const double value = x[{matrix, row, i}];
    squares += value * value;
  }
  return std::sqrt(squares);
}

double largest_row(const Tensor& x) {
  double most = 0;
  for (std::size_t s = 0; s < x.stack(); ++s)
    for (std::size_t row = 0; row < x.rows(); ++row) most = std::max(most, length_of(x, s, row));
  return most;
}

Shape result_shape(const LinearAttention& op, Shapes inputs) {
  const Shape q = inputs[0], k = inputs[1], v = inputs[2];
  if (q.columns != k.columns || k.rows != v.rows || k.stack != v.stack || k.stack == 0 ||
      q.stack % k.stack != 0)
    throw Error("φ(Q) of " + to_string(q) + ", φ(K) of " + to_string(k) + " and V of " + to_string(v) +
                " do not fit each other");
  if (const std::string rule = rule_that_does_not_fit(op.masks); !rule.empty())
    throw Error("linear attention takes causal masks and padding alone: " + rule +
                " does not leave each query its first keys");
  return {q.stack, q.rows, v.columns + 1};
}

Explanation explain(const LinearAttention& op, Inputs inputs, Cell cell) {
  const LinearRow<float> row(op, inputs, cell.head, cell.row);
  std::vector<Term> terms;
  if (cell.column == inputs[2].columns()) {
    for (std::size_t i = 0; row.seen() > 0 && i < inputs[0].columns(); ++i) {
      const Operand feature = operand(inputs, 0, {cell.head, cell.row, i});
      terms.push_back({.operands = {feature, constant(row.sum_of_feature(i), "Σ φ(k)")},
                       .value = feature.value * row.sum_of_feature(i)});
    }
    return explained_sum(std::move(terms), "φ(q) · Σ φ(k) over the keys that it sees", "no key left: 0");
  }
  if (row.seen() > 0 && row.z() == 0)
    return {.rule = "φ(q) · Σ φ(k) is 0: no output", .result = row.output(cell.column)};
  for (std::size_t j = 0; j < row.seen(); ++j)
    terms.push_back({.operands = {constant(row.product(j) / row.z(), "φ(q) · φ(k) ÷ z"),
                                  operand(inputs, 2, {row.matrix(), j, cell.column})},
                     .value = row.term(j, cell.column) / row.z()});
  return explained_sum(std::move(terms), "Σ (φ(q) · φ(k) ÷ z) × value over the keys that it sees",
                       "no key left: 0");
}

Regions reach(const LinearAttention& op, Shapes inputs, std::size_t input, Cell cell) {
  const Shape result = result_shape(op, inputs);
  const std::size_t group = result.stack / inputs[input].stack, first = cell.head * group;
  if (input == 0) return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, result.columns}};
  const std::size_t query = first_query_of(op, result.rows, inputs[1].rows, cell.row);
  if (query == result.rows) return {};
  if (input == 1) return {{first, query, 0}, {first + group, result.rows, result.columns}};
  return {{first, query, cell.column}, {first + group, result.rows, cell.column + 1}};
}

// Counted as the Cost workspace does it: by a state, whose prefix sums take no more than one sum of all.
Traits traits(const LinearAttention& op, Shapes inputs, const Shape&) {
  const LinearWork w(op, inputs);
  return {.multiply_adds = w.pairs * (2 * w.features + w.values),
          .counted = w.keys * w.features * (2 * w.values + 1) +
                     w.queries * (2 * w.features * (w.values + 1) + w.values),
          .long_rows = true};
}

// Outputs are means of the values.
double size_of_terms(const LinearAttention&, Inputs inputs) {
  double largest = 0;
  for (const float v : inputs[2].values()) largest = std::max(largest, std::abs(static_cast<double>(v)));
  return largest;
}

RowReads cut(LinearAttention& op, Shapes inputs, const RowRange& rows) {
  if (!cut_masks(op.masks, inputs[0].rows, inputs[1].rows, rows)) return std::nullopt;
  op.first += static_cast<std::ptrdiff_t>(rows.first);
  return same_rows(inputs, {1, 2});
}

Backward backward(const LinearAttention& op, Shapes inputs, const Shape&) {
  const std::size_t r = inputs[1].columns, c = inputs[2].columns;
  Backward back;
  const BackwardValue outputs = back.add(TakeColumns{0, c}, {kGradient}, "%g of the outputs");
  const auto of = [&](LinearSide side, const char* words) {
    return back.add(LinearGradient{op, side}, {input_of(0), input_of(1), input_of(2), kResult, outputs},
                    words);
  };
  back.flow(0, of(LinearSide::queries, "(%g·%2ᵀ − %g·%y)·%1 ÷ z, by states"));
  const BackwardValue keys = of(LinearSide::keys, "what passes to %1 and to %2, by states");
  back.flow(1, back.add(TakeColumns{0, r}, {keys}, "(%g·%2ᵀ − %g·%y)ᵀ·%0 ÷ z, by states"));
  back.flow(2, back.add(TakeColumns{r, c}, {keys}, "(%0·%1ᵀ ÷ z)ᵀ·%g, by states"));
  return back;
}

Shape result_shape(const LinearState& op, Shapes inputs) {
  const Shape k = inputs[0], v = inputs[1];
  if (k.rows != v.rows || k.stack != v.stack)
    throw Error("φ(K) of " + to_string(k) + " and V of " + to_string(v) + " do not fit each other");
  if (op.keys > k.rows)
    throw Error("a state after " + std::to_string(op.keys) + " keys does not fit φ(K) of " + to_string(k));
  return {k.stack, k.columns, v.columns + 1};
}

Explanation explain(const LinearState& op, Inputs inputs, Cell cell) {
  const bool of_value = cell.column < inputs[1].columns();
  std::vector<Term> terms;
  for (std::size_t j = 0; j < op.keys; ++j) {
    const Operand feature = operand(inputs, 0, {cell.head, j, cell.row});
    if (!of_value) {
      terms.push_back({.operands = {feature}, .value = feature.value});
      continue;
    }
    const Operand value = operand(inputs, 1, {cell.head, j, cell.column});
    terms.push_back({.operands = {feature, value}, .value = feature.value * value.value});
  }
  return explained_sum(std::move(terms),
                       of_value ? "Σ φ(k) × value over the first keys" : "Σ φ(k) over the first keys",
                       "no key yet: 0");
}

Regions reach(const LinearState& op, Shapes inputs, std::size_t input, Cell cell) {
  if (cell.row >= op.keys) return {};
  const Shape all = result_shape(op, inputs);
  if (input == 0) return {{cell.head, cell.column, 0}, {cell.head + 1, cell.column + 1, all.columns}};
  return {{cell.head, 0, cell.column}, {cell.head + 1, all.rows, cell.column + 1}};
}

Traits traits(const LinearState& op, Shapes inputs, const Shape& result) {
  const double keys = static_cast<double>(op.keys), values = static_cast<double>(inputs[1].columns);
  return {.multiply_adds = keys * size_of(result),
          .counted = keys * times(inputs[0].stack, inputs[0].columns) * (2 * values + 1),
          .long_rows = true};
}

double size_of_terms(const LinearState&, Inputs inputs) {
  return static_cast<double>(inputs[0].rows()) * largest_row(inputs[0]) *
         std::max(1.0, largest_row(inputs[1]));
}

RowReads cut(LinearState&, Shapes, const RowRange&) {
  return std::nullopt;  // rows are features
}

Backward backward(const LinearState&, Shapes, const Shape&) {
  return no_way_back("it is made beside the output");
}

template struct Family<LinearAttention>;
template struct Family<LinearState>;

}  // namespace attn
