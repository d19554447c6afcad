// For the families' own files alone: what Family is, in the words that they write for each operation, and
// what they share.
#pragma once

#include <initializer_list>

#include "core/operations/backward.h"

namespace attn {

// What a family forgot would else be asked of the operation as one of the variant, which asks here.
template <class Op>
Shape result_shape(const Op& op, Shapes inputs) = delete;
template <class Op>
Explanation explain(const Op& op, Inputs inputs, Cell cell) = delete;
template <class Op>
Regions reach(const Op& op, Shapes inputs, std::size_t input, Cell cell) = delete;
template <class Op>
Traits traits(const Op& op, Shapes inputs, const Shape& result) = delete;
template <class Op>
RowReads cut(Op& op, Shapes inputs, const RowRange& rows) = delete;
template <class Op>
Backward backward(const Op& op, Shapes inputs, const Shape& result) = delete;

// Of most operations a −∞ never stands for "masked", and no terms cancel.
template <class Op>
MaskOrigin mask_origin(const Op&, Inputs, Cell) {
  return {};
}
template <class Op>
double size_of_terms(const Op&, Inputs) {
  return 0;
}

template <class Op>
Shape Family<Op>::result_shape(const Op& op, Shapes inputs) {
  using attn::result_shape;
  return result_shape(op, inputs);
}

template <class Op>
Explanation Family<Op>::explain(const Op& op, Inputs inputs, Cell cell) {
  using attn::explain;
  return explain(op, inputs, cell);
}

template <class Op>
Regions Family<Op>::reach(const Op& op, Shapes inputs, std::size_t input, Cell cell) {
  using attn::reach;
  return reach(op, inputs, input, cell);
}

template <class Op>
Traits Family<Op>::traits(const Op& op, Shapes inputs, const Shape& result) {
  using attn::traits;
  return traits(op, inputs, result);
}

template <class Op>
RowReads Family<Op>::cut(Op& op, Shapes inputs, const RowRange& rows) {
  using attn::cut;
  return cut(op, inputs, rows);
}

template <class Op>
Backward Family<Op>::backward(const Op& op, Shapes inputs, const Shape& result) {
  using attn::backward;
  return backward(op, inputs, result);
}

template <class Op>
MaskOrigin Family<Op>::mask_origin(const Op& op, Inputs inputs, Cell cell) {
  using attn::mask_origin;
  return mask_origin(op, inputs, cell);
}

template <class Op>
double Family<Op>::size_of_terms(const Op& op, Inputs inputs) {
  using attn::size_of_terms;
  return size_of_terms(op, inputs);
}

// What other families ask of these is compiled in their own files.
extern template struct Family<FlashAttention>;
extern template struct Family<LinearAttention>;
extern template struct Family<Tanh>;
extern template struct Family<SquaredDistance>;
extern template struct Family<AdditiveScore>;

// For cut(): rows of the result read the same rows of every input but of these.
inline RowReads same_rows(Shapes inputs, std::initializer_list<std::size_t> all = {}) {
  std::vector<RowsRead> reads(inputs.size(), RowsRead::same);
  for (const std::size_t input : all) reads.at(input) = RowsRead::all;
  return reads;
}

// Each number of a row of input 0, as it is.
inline std::vector<Term> terms_of_row(Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < inputs[0].columns(); ++j) {
    const Operand x = operand(inputs, 0, {cell.head, cell.row, j});
    terms.push_back({.operands = {x}, .value = x.value});
  }
  return terms;
}

// A number of the row statistic (input 1) goes into its whole row, a number of the matrix into its own cell.
inline Region reach_row(Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return region(cell);
  return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, inputs[0].columns}};
}

}  // namespace attn
