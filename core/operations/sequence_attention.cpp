// Attention of a batch of sequences: where its numbers lie, one of them in words, and the way back.
#include "core/operations/sequence_attention.h"

#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/products.h"
#include "core/operations/sequence_row.h"
#include "core/system/error.h"

namespace attn {
namespace {

std::string why_misfit(const SequenceAttention& op, Shapes inputs) {
  const std::size_t sides = inputs.size() - (op.offsets ? 1 : 0);
  if (sides < 1 || sides > 2) return "there must be queries, keys and values";
  const bool self = sides == 1;
  const Shape q = inputs[0], kv = inputs[sides - 1];
  if (op.sequences == 0 || op.heads == 0) return "there must be sequences and heads";
  const std::size_t width = self ? q.columns / 3 : q.columns;
  if (q.stack != 1 || kv.stack != 1 || (self ? q.columns != 3 * width : kv.columns != 2 * width))
    return "queries, keys and values must be of one width";
  if (width == 0 || width % op.heads != 0) return "the heads must divide the width";
  if (width / op.heads > SequenceAttention::kMostWidth)
    return "heads are at most " + std::to_string(SequenceAttention::kMostWidth) + " wide";
  if (q.rows % op.sequences != 0 || kv.rows % op.sequences != 0) return "the sequences must be equally long";
  if (kv.rows / op.sequences > SequenceAttention::kMostTokens)
    return "a sequence has at most " + std::to_string(SequenceAttention::kMostTokens) + " tokens";
  if (!op.offsets) return {};
  const Shape added{1, q.rows, op.heads * index_count(*op.offsets)};
  if (inputs.back() != added) return "what is added by offset must be " + to_string(added);
  return {};
}

// The query's result in the head, where it sees a key at that offset.
Regions reach_of_added(const SequenceAttention& op, const SequenceSides& s, Cell cell) {
  const std::size_t query = cell.row % s.queries, of_head = cell.column / s.added * s.head;
  const std::size_t seen = op.causal ? std::min(query + 1, s.keys) : s.keys;
  for (std::size_t key = 0; key < seen; ++key) {
    const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(query);
    if (index_of(*op.offsets, offset) == cell.column % s.added)
      return {{0, cell.row, of_head}, {1, cell.row + 1, of_head + s.head}};
  }
  return {};
}

}  // namespace

SequenceSides::SequenceSides(const SequenceAttention& op, Shapes inputs)
    : queries(inputs[0].rows / op.sequences), query_row(inputs[0].columns) {
  const bool self = inputs.size() - (op.offsets ? 1 : 0) == 1;
  added = op.offsets ? index_count(*op.offsets) : 0;
  width = self ? query_row / 3 : query_row, head = width / op.heads;
  of_keys = self ? 0 : 1, first_key = self ? width : 0;
  keys = inputs[of_keys].rows / op.sequences, key_row = inputs[of_keys].columns;
}

Shape result_shape(const SequenceAttention& op, Shapes inputs) {
  if (const std::string why = why_misfit(op, inputs); !why.empty())
    throw Error("attention of sequences of " + to_string(inputs[0]) + ": " + why);
  return {1, inputs[0].rows, SequenceSides(op, inputs).width};
}
Shape result_shape(const SequenceGradient& op, Shapes inputs) {
  const Shapes forward = inputs.first(inputs.size() - 1);
  if (result_shape(op.forward, forward) != inputs.back() || op.of >= forward.size())
    throw Error("a gradient of " + to_string(inputs.back()) + " is not that of this attention’s output");
  return inputs[op.of];
}

Explanation explain(const SequenceAttention& op, Inputs inputs, Cell cell) {
  const SequenceRow<float> row(op, inputs, cell.row, cell.column);
  std::vector<Term> terms;
  for (std::size_t j = 0; j < row.weights.size(); ++j) {
    const Operand v = operand(inputs, static_cast<int>(row.sides.of_keys), row.value_cell(j, cell.column));
    terms.push_back({.operands = {constant(row.weights[j], "weight"), v}, .value = row.weights[j] * v.value});
  }
  return sum_of("Σ of weight times value over the keys of its sequence", std::move(terms));
}

Explanation explain(const SequenceGradient& op, Inputs inputs, Cell cell) {
  const double value = sequence_gradient(op, inputs)[index_of(inputs[op.of].shape(), cell)];
  return only("what flows back to it through the weights and values of its sequence and head",
              {.operands = {constant(value, "what flows back")}, .value = value});
}

Regions reach(const SequenceAttention& op, Shapes inputs, std::size_t input, Cell cell) {
  const SequenceSides s(op, inputs);
  if (s.added > 0 && input + 1 == inputs.size()) return reach_of_added(op, s, cell);
  const std::size_t rows = inputs[input].rows / op.sequences, sequence = cell.row / rows;
  const std::size_t head = cell.column % s.width / s.head;
  const bool query = input == 0 && cell.column < s.width;
  const bool value = cell.column >= inputs[input].columns - s.width && !(query && s.of_keys == 1);
  const std::size_t column = value ? cell.column % s.width : head * s.head, wide = value ? 1 : s.head;
  const std::size_t first = sequence * s.queries;
  if (query) return {{0, cell.row, column}, {1, cell.row + 1, column + wide}};
  const std::size_t from = op.causal ? cell.row % rows : 0;
  if (from >= s.queries) return {};
  return {{0, first + from, column}, {1, first + s.queries, column + wide}};
}
// Every number of the sequence and head, at most.
Regions reach(const SequenceGradient& op, Shapes inputs, std::size_t input, Cell cell) {
  const SequenceSides s(op.forward, inputs.first(inputs.size() - 1));
  const std::size_t sequence = cell.row / (inputs[input].rows / op.forward.sequences);
  const std::size_t rows = inputs[op.of].rows / op.forward.sequences;
  const auto is_added = [&](std::size_t number) { return s.added > 0 && number + 2 == inputs.size(); };
  const std::size_t head = is_added(input) ? cell.column / s.added : cell.column % s.width / s.head;
  const std::size_t wide = is_added(op.of) ? s.added : s.head, columns = inputs[op.of].columns;
  Regions all;
  for (std::size_t first = head * wide; first < columns; first += is_added(op.of) ? columns : s.width)
    all.push_back(Region{{0, sequence * rows, first}, {1, (sequence + 1) * rows, first + wide}});
  return all;
}

Traits traits(const SequenceAttention& op, Shapes inputs, const Shape& result) {
  const SequenceSides s(op, inputs);
  return {.multiply_adds = (2 * static_cast<double>(s.head) + 12) * times(result.rows, s.keys) *
                           static_cast<double>(op.heads),
          .counted = 4 * size_of(result) * static_cast<double>(s.keys)};
}
Traits traits(const SequenceGradient& op, Shapes inputs, const Shape&) {
  const Shapes forward = inputs.first(inputs.size() - 1);
  const SequenceSides s(op.forward, forward);
  return {.multiply_adds = (5 * static_cast<double>(s.head) + 16) * times(inputs.back().rows, s.keys) *
                           static_cast<double>(op.forward.heads),
          .counted = 10 * size_of(inputs.back()) * static_cast<double>(s.keys)};
}

double size_of_terms(const SequenceAttention& op, Inputs inputs) {
  return largest_size(inputs[inputs.size() - (op.offsets ? 2 : 1)].values());
}

RowReads cut(SequenceAttention&, Shapes, const RowRange&) {
  return std::nullopt;
}
RowReads cut(SequenceGradient&, Shapes, const RowRange&) {
  return std::nullopt;
}

Backward backward(const SequenceAttention& op, Shapes inputs, const Shape&) {
  Backward back;
  std::vector<BackwardValue> reads;
  for (std::size_t input = 0; input < inputs.size(); ++input) reads.push_back(input_of(input));
  reads.push_back(kGradient);
  for (std::size_t input = 0; input < inputs.size(); ++input) {
    back.lines.push_back({SequenceGradient{op, input}, reads, "%g back through the weights"});
    back.flow(input, {BackwardValue::line, input});
  }
  return back;
}
Backward backward(const SequenceGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<SequenceAttention>;
template struct Family<SequenceGradient>;

}  // namespace attn
