// Embeddings: which shapes fit, the arithmetic of one number in words, and where it goes.
#include "core/operations/embedding.h"

#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/written.h"
#include "core/system/error.h"
#include "core/text/special.h"

namespace attn {
namespace {

void check_ids(const Shape& ids) {
  if (ids.stack != 1 || ids.columns != 1)
    throw Error("ids of " + to_string(ids) + " are not one a token: give a column of them, 1×n×1");
}

}  // namespace

std::optional<std::size_t> embedded_row(double id, std::size_t rows) {
  if (id >= 0 && id < static_cast<double>(rows) && id == std::floor(id)) return static_cast<std::size_t>(id);
  return std::nullopt;
}

Shape result_shape(const Embedding&, Shapes inputs) {
  const Shape &table = inputs[0], &ids = inputs[1];
  if (table.stack != 1)
    throw Error("a table of " + to_string(table) + " is no embedding: give one matrix, a row for each id");
  check_ids(ids);
  return {1, ids.rows, table.columns};
}
Shape result_shape(const EmbeddingGradient& op, Shapes inputs) {
  const Shape &g = inputs[0], &ids = inputs[1];
  check_ids(ids);
  if (g.stack != 1 || g.rows != ids.rows)
    throw Error("a gradient of " + to_string(g) + " is not that of " + std::to_string(ids.rows) +
                " embedded tokens: give it a row for each");
  return {1, op.rows, g.columns};
}

Explanation explain(const Embedding&, Inputs inputs, Cell cell) {
  const Operand id = operand(inputs, 1, {0, cell.row, 0});
  const auto row = embedded_row(id.value, inputs[0].rows());
  if (!row)
    return only("the table has no row " + written(id.value) + ": NaN", {.operands = {id}, .value = kNan});
  const Cell from{0, *row, cell.column};
  const Operand x = operand(inputs, 0, from);
  Explanation e = only("the table’s row of this id", {.operands = {x}, .value = x.value});
  e.formula = {cell_of(0, from)};
  return e;
}

Explanation explain(const EmbeddingGradient& op, Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < inputs[1].rows(); ++i) {
    if (static_cast<double>(inputs[1][{0, i, 0}]) != static_cast<double>(op.first + cell.row)) continue;
    const Operand g = operand(inputs, 0, {0, i, cell.column});
    terms.push_back({.operands = {g}, .value = g.value});
  }
  if (terms.empty())
    return only("no token has this row’s id: 0", {.operands = {constant(0, "0")}, .value = 0});
  Explanation e = sum_of("Σ of what flows to tokens with this row’s id", std::move(terms));
  e.passages = {{words("one term of a sum")}};
  return e;
}

// Which rows ids name the shapes do not say.
Regions reach(const Embedding&, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 1) return {{0, cell.row, 0}, {1, cell.row + 1, inputs[0].columns}};
  return {{0, 0, cell.column}, {1, inputs[1].rows, cell.column + 1}};
}
Regions reach(const EmbeddingGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 1) return {{0, 0, 0}, {1, op.rows, inputs[0].columns}};
  return {{0, 0, cell.column}, {1, op.rows, cell.column + 1}};
}

Traits traits(const Embedding&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .counted = 0, .passes_numbers = true, .stays_in_format = true};
}
Traits traits(const EmbeddingGradient&, Shapes inputs, const Shape& result) {
  return {.multiply_adds = size_of(inputs[0]) + size_of(result), .counted = size_of(inputs[0])};
}

// All terms of a column, as if one row had them all.
double size_of_terms(const EmbeddingGradient&, Inputs inputs) {
  const Tensor& g = inputs[0];
  double largest = 0;
  for (std::size_t j = 0; j < g.columns(); ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < g.rows(); ++i) {
      const double size = std::abs(static_cast<double>(g[{0, i, j}]));
      if (std::isfinite(size)) sum += size;
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

RowReads cut(Embedding&, Shapes inputs, const RowRange&) {
  return same_rows(inputs, {0});
}
RowReads cut(EmbeddingGradient& op, Shapes inputs, const RowRange& rows) {
  op.first += rows.first;
  op.rows = rows.count;
  return same_rows(inputs, {0, 1});
}

Backward backward(const Embedding&, Shapes inputs, const Shape&) {
  Backward back;
  back.flow(0, back.add(EmbeddingGradient{.rows = inputs[0].rows}, {kGradient, input_of(1)},
                        "Σ of %g over tokens of one id"));
  back.zero(1, "an id names a row: between two of them there is none");
  return back;
}
Backward backward(const EmbeddingGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<Embedding>;
template struct Family<EmbeddingGradient>;

}  // namespace attn
