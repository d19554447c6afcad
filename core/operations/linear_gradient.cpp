// The way back through linear attention: shapes, and how its numbers are explained.
#include <algorithm>
#include <cmath>

#include "core/operations/linear_row.h"
#include "core/operations/linear_shapes.h"
#include "core/operations/shared_heads.h"
#include "core/system/error.h"

namespace attn {
namespace {

Explanation explained_linear_query(const LinearGradient& op, Inputs inputs, Cell cell) {
  const LinearBack<float> back(op.forward, inputs, cell.head, cell.row);
  const std::size_t matrix = shared_matrix(cell.head, inputs[1].stack(), inputs[0].stack());
  std::vector<Term> terms;
  for (std::size_t j = 0; j < back.seen(); ++j) {
    const double to_product = back.to_product(j);
    const Operand key = operand(inputs, 1, {matrix, j, cell.column});
    terms.push_back({.operands = {constant(to_product, "gradient of φ(q) · φ(k)"), key},
                     .value = to_product * key.value});
  }
  return explained_sum(std::move(terms), "Σ gradient of φ(q) · φ(k) × φ(k) over the keys that it sees",
                       "no output: 0");
}

Explanation explained_linear_key(const LinearGradient& op, Inputs inputs, Cell cell) {
  const std::size_t r = inputs[0].columns();
  const bool of_value = cell.column >= r;
  std::vector<Term> terms;
  for (const LinearBack<float>& back : linear_rows_of_keys<float>(op.forward, inputs, cell.head)) {
    if (cell.row >= back.seen()) continue;
    const auto [head, row, column] = back.row();
    const double factor = of_value ? back.weight(cell.row) : back.to_product(cell.row);
    const Operand other =
        operand(inputs, of_value ? 4 : 0, {head, row, of_value ? cell.column - r : cell.column});
    terms.push_back(
        {.operands = {constant(factor, of_value ? "φ(q) · φ(k) ÷ z" : "gradient of φ(q) · φ(k)"), other},
         .value = factor * other.value});
  }
  return explained_sum(std::move(terms),
                       of_value ? "Σ (φ(q) · φ(k) ÷ z) × gradient of the output over the queries that see it"
                                : "Σ gradient of φ(q) · φ(k) × φ(q) over the queries that see it",
                       "no query with an output sees it: 0");
}

}  // namespace

Shape result_shape(const LinearGradient& op, Shapes inputs) {
  const Shape forward = Family<LinearAttention>::result_shape(op.forward, inputs.first(3));
  const Shape outputs{forward.stack, forward.rows, forward.columns - 1};
  if (inputs[3] != forward || inputs[4] != outputs)
    throw Error("a result of " + to_string(inputs[3]) + " and a gradient of " + to_string(inputs[4]) +
                " do not fit outputs of " + to_string(outputs));
  if (op.of == LinearSide::queries) return inputs[0];
  return {inputs[1].stack, inputs[1].rows, inputs[1].columns + inputs[2].columns};
}

Explanation explain(const LinearGradient& op, Inputs inputs, Cell cell) {
  return op.of == LinearSide::queries ? explained_linear_query(op, inputs, cell)
                                      : explained_linear_key(op, inputs, cell);
}

// Of queries what passes depends on them through the result alone, of keys and values on the other one.
Regions reach(const LinearGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  const SharedHeads heads(inputs, input, cell.head);
  const std::size_t n = inputs[0].rows, m = inputs[1].rows, r = inputs[0].columns, c = inputs[2].columns;
  const bool of_key = input == 1 || input == 2;
  if (op.of == LinearSide::queries) {
    if (input == 0) return {};
    if (!of_key) return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, r}};
    const std::size_t query = first_query_of(op.forward, n, m, cell.row);
    if (query == n) return {};
    if (input == 1) return {{heads.first, query, cell.column}, {heads.last, n, cell.column + 1}};
    return {{heads.first, query, 0}, {heads.last, n, r}};
  }
  if (of_key) {
    if (first_query_of(op.forward, n, m, cell.row) == n) return {};
    return {{heads.first_keys, cell.row, input == 1 ? r : 0},
            {heads.last_keys, cell.row + 1, input == 1 ? r + c : r}};
  }
  const std::size_t seen = keys_seen(op.forward, cell.row, n, m);
  if (seen == 0) return {};
  const auto block = [&](std::size_t from, std::size_t to) {
    return Region{{heads.first_keys, 0, from}, {heads.last_keys, seen, to}};
  };
  if (input == 3 && cell.column == c) return block(0, r + c);
  Regions all(input == 0 ? block(cell.column, cell.column + 1) : block(0, r));
  if (input == 0) all.push_back(block(r, r + c));
  if (input == 4) all.push_back(block(r + cell.column, r + cell.column + 1));
  return all;
}

// Counted by states, as the way there.
Traits traits(const LinearGradient& op, Shapes inputs, const Shape&) {
  const LinearWork w(op.forward, inputs);
  const double with_state = 2 * w.features * (w.values + 1);
  const bool of_queries = op.of == LinearSide::queries;
  return {.multiply_adds = w.pairs * (of_queries ? w.values + w.features : 2 * (w.values + w.features)),
          .counted = of_queries ? w.queries * (with_state + 3 * w.values)
                                : w.queries * with_state + w.keys * w.features * (4 * w.values + 1),
          .long_rows = true};
}

// As large as what passes to φ(q)·φ(k) can be, times the sums of what is multiplied with it.
double size_of_terms(const LinearGradient& op, Inputs inputs) {
  const bool of_queries = op.of == LinearSide::queries;
  const Tensor &q = inputs[0], &k = inputs[1], &result = inputs[3];
  double to_product = 0, sum = 0;
  for (std::size_t h = 0; h < q.stack(); ++h)
    for (std::size_t row = 0; row < q.rows(); ++row) {
      const double z = std::abs(static_cast<double>(result[{h, row, inputs[2].columns()}]));
      if (z == 0) continue;
      const double passed = length_of(inputs[4], h, row) / z;
      to_product = std::max(to_product, passed);
      if (!of_queries) sum += passed * length_of(q, h, row);
    }
  const double values = std::max(largest_row(inputs[2]), of_queries ? 0 : largest_row(k));
  return values * (of_queries ? to_product * static_cast<double>(k.rows()) * largest_row(k) : sum);
}

RowReads cut(LinearGradient& op, Shapes inputs, const RowRange& rows) {
  if (op.of == LinearSide::keys) return std::nullopt;
  if (!cut_masks(op.forward.masks, inputs[0].rows, inputs[1].rows, rows)) return std::nullopt;
  op.forward.first += static_cast<std::ptrdiff_t>(rows.first);
  return same_rows(inputs, {1, 2});
}

Backward backward(const LinearGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<LinearGradient>;

}  // namespace attn
