// Rows brought to one length or normalised, and sums over rows.
#include "core/operations/row_norm.h"

#include "core/code/family.h"

namespace attn::code {
namespace {

Formula row_mean(Formula x) {
  const auto width = static_cast<double>(x->shape.columns);
  return row_sum(std::move(x)) / width;
}

struct Normed {
  Formula x, deviation;  // x̂, and s
};
Normed normed(const RowNorm& op, Formula x) {
  const Formula centred = op.centred ? x - row_mean(x) : x;
  const Formula deviation = of_each(Fn::root, row_mean(centred * centred) + op.epsilon);
  return {centred / deviation, deviation};
}

}  // namespace

Formula formula(const RowLength& op, const Given& in) {
  const Formula x = in[0];
  return of_each(Fn::root, op.mean ? row_mean(x * x) + kNormEpsilon : row_sum(x * x));
}

Formula formula(const ByLength&, const Given& in) {
  return where(binary(Fn::equal, in[1], 0), 0, in[0] / in[1]);
}

Formula formula(const RowNorm& op, const Given& in) {
  Formula y = normed(op, in[0]).x;
  if (in.size() > 1) y = y * in[1];
  return in.size() > 2 ? y + in[2] : y;
}

Formula formula(const RowNormGradient& op, const Given& in) {
  const Normed n = normed(op.norm, in[0]);
  if (op.of == RowNormGradient::gain) return stack_sum(column_sum(in[1] * n.x));
  const Formula g = in.size() > 2 ? in[1] * in[2] : in[1];
  const Formula along = n.x * row_mean(g * n.x);
  return (op.norm.centred ? g - row_mean(g) - along : g - along) / n.deviation;
}

Formula formula(const ColumnSum& op, const Given& in) {
  const Formula sums = column_sum(in[0]);
  return op.each ? sums : stack_sum(sums);
}

// Of sequences below each other.
Formula formula(const AddRepeated&, const Given& in) {
  const Shape &x = in[0]->shape, &b = in[1]->shape;
  const Formula sequences = reshaped(in[0], {x.stack * x.rows / b.rows, b.rows, x.columns});
  return reshaped(sequences + in[1], x);
}

Formula formula(const SumRepeated& op, const Given& in) {
  const Shape& x = in[0]->shape;
  return stack_sum(reshaped(in[0], {x.stack * x.rows / op.rows, op.rows, x.columns}));
}

template struct CodeOf<RowLength>;
template struct CodeOf<ByLength>;
template struct CodeOf<RowNorm>;
template struct CodeOf<RowNormGradient>;
template struct CodeOf<ColumnSum>;
template struct CodeOf<AddRepeated>;
template struct CodeOf<SumRepeated>;

}  // namespace attn::code
