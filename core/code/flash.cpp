// Flash attention as what it computes, with scores and weights.
#include "core/operations/flash.h"

#include "core/code/family.h"
#include "core/code/position.h"
#include "core/text/special.h"

namespace attn::code {
namespace {

Formula hidden_by(const FlashAttention& op, const Given& in, Formula scores) {
  const Shape shape = scores->shape;
  std::vector<double> hidden;
  const Mask mask{.queries = shape.rows, .keys = shape.columns, .rules = op.masks, .first = op.first};
  for (std::size_t row = 0; !op.masks.empty() && row < shape.rows; ++row) {
    const std::vector<char> masked = MaskRow(op.masks, mask.place(row)).masked();
    hidden.insert(hidden.end(), masked.begin(), masked.end());
  }
  if (!hidden.empty())
    scores = where(binary(Fn::differs, constant("hidden", {1, shape.rows, shape.columns}, hidden), 0),
                   -kInfinity, scores);
  if (!op.masked) return scores;
  const Formula own = shared_by(in[FlashInputs(op).mask], shape.stack);
  return where(binary(Fn::differs, own, 0), -kInfinity, scores);
}

Formula scores_of(const FlashAttention& op, const Given& in, Formula k) {
  const FlashInputs at(op);
  Formula scores = product(in[0], transposed(std::move(k))) * op.scale;
  const Shape shape = scores->shape;
  if (op.cap != 0) scores = op.cap * of_each(Fn::tanh, scores / op.cap);
  if (op.alibi) scores = scores + distance_bias(shape.stack, shape.rows, shape.columns, op.first);
  if (op.offsets)
    scores =
        scores + shared_by(taken_by_offset(in[at.offsets], *op.offsets, shape.rows, shape.columns, op.first),
                           shape.stack);
  if (op.bias) scores = scores + shared_by(in[at.bias], shape.stack);
  return hidden_by(op, in, scores);
}

}  // namespace

Formula formula(const FlashAttention& op, const Given& in) {
  const std::size_t heads = in[0]->shape.stack;
  const Formula scores = scores_of(op, in, shared_by(in[1], heads));
  const Formula largest = op.with_one ? binary(Fn::larger, row_max(scores), 0) : row_max(scores);
  const Formula empty = binary(Fn::equal, largest, -kInfinity);
  const Formula exponentials = of_each(Fn::exp, scores - where(empty, 0, largest));
  const Formula own = row_sum(exponentials);
  const Formula sum = op.with_one ? own + of_each(Fn::exp, -1 * largest) : own;
  const double left = op.empty_row == EmptyRow::zeros ? 0
                      : op.empty_row == EmptyRow::nan ? kNan
                                                      : 1 / static_cast<double>(scores->shape.columns);
  const Formula weights = where(empty, left, exponentials / sum);
  const Formula result = beside(product(weights, shared_by(in[2], heads)),
                                where(empty, -kInfinity, largest + of_each(Fn::log, sum)));
  return op.weights ? beside(result, weights) : result;
}

template struct CodeOf<FlashAttention>;

}  // namespace attn::code
