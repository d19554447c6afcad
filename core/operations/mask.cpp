#include "core/operations/mask.h"

#include <limits>

#include "core/error.h"
#include "core/operations/elementwise.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

Term fact(std::string text, bool masked) {
  const double value = masked ? 1 : 0;
  return {.operands = {{.value = value, .input = -1, .cell = {}, .text = std::move(text)}}, .value = value};
}

}  // namespace

double MaskFill::value() const {
  switch (fill) {
    case Fill::negative_infinity:
      return -std::numeric_limits<double>::infinity();
    case Fill::minus_1e6:
      return -1e6;
    case Fill::minus_1e9:
    case Fill::add_minus_1e9:
      return -1e9;
  }
  return 0;
}

Shape result_shape(const Mask& op, Shapes inputs) {
  const std::size_t lengths = op.valid_lengths.size();
  if (lengths > 1 && lengths != op.queries)
    throw Error("padding gives " + std::to_string(lengths) + " lengths for " + std::to_string(op.queries) +
                " queries: give one length, or one for each query");
  for (const std::size_t length : op.valid_lengths)
    if (length > op.keys)
      throw Error("padding keeps " + std::to_string(length) + " keys, but there are only " +
                  std::to_string(op.keys) + ": use a length from 0 to " + std::to_string(op.keys));
  if (inputs.empty()) return {1, op.queries, op.keys};
  const Shape user = inputs[0];
  if (user.rows != op.queries || user.columns != op.keys)
    throw Error("mask is " + to_string(user) + ", but there are " + std::to_string(op.queries) +
                " queries and " + std::to_string(op.keys) + " keys: make it " + std::to_string(op.queries) +
                "×" + std::to_string(op.keys));
  return user;
}

Shape result_shape(const MaskFill&, Shapes inputs) {
  return result_shape(Add{}, inputs);
}

Explanation explain(const Mask& op, Inputs inputs, Cell cell) {
  const long i = static_cast<long>(cell.row), j = static_cast<long>(cell.column);
  const std::string key = "key " + std::to_string(j);
  std::vector<Term> terms;
  if (op.causal) {
    const long last = i + op.causal_offset();
    terms.push_back(fact("causal: " + key + " > " + std::to_string(last), j > last));
  }
  if (!op.valid_lengths.empty()) {
    const std::size_t length = op.valid_length(cell.row);
    terms.push_back(fact("padding: " + key + " ≥ length " + std::to_string(length), cell.column >= length));
  }
  if (!inputs.empty()) {
    const Operand user = operand(inputs, 0, cell);
    terms.push_back({.operands = {user}, .value = user.value != 0 ? 1.0 : 0.0});
  }
  double result = 0;
  for (const Term& term : terms)
    if (term.value != 0) result = 1;
  return {.rule = "1 = masked", .combine = Combine::any, .terms = std::move(terms), .result = result};
}

Explanation explain(const MaskFill& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  const std::size_t s = shared_matrix(cell.head, inputs[1].stack(), inputs[0].stack());
  const Operand mask = operand(inputs, 1, {s, cell.row, cell.column});
  const Operand fill{.value = op.value(), .input = -1, .cell = {}, .text = "fill"};
  if (mask.value == 0)
    return {.rule = "kept: the mask is 0 here",
            .combine = Combine::choice,
            .terms = {{.operands = {x}, .value = x.value}},
            .result = x.value};
  if (!op.adds())
    return {.rule = "masked: the fill value replaces the score",
            .combine = Combine::choice,
            .terms = {{.operands = {fill}, .value = fill.value}},
            .result = fill.value};
  return {.rule = "masked: the fill value is added to the score",
          .combine = Combine::sum,
          .terms = {{.operands = {x}, .value = x.value}, {.operands = {fill}, .value = fill.value}},
          .result = x.value + fill.value};
}

Region reach(const Mask&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Region reach(const MaskFill&, Shapes inputs, std::size_t input, Cell cell) {
  return reach(Add{}, inputs, input, cell);
}

}  // namespace attn
