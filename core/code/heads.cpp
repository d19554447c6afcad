// Heads merged, split, added up and compared, and other views of the same numbers.
#include "core/operations/heads.h"

#include <algorithm>

#include "core/code/family.h"

namespace attn::code {
namespace {

// Zeros in place of the heads that are switched off.
Formula without(Formula x, const std::vector<std::size_t>& muted) {
  if (muted.empty()) return x;
  std::vector<double> on(x->shape.stack, 1);
  for (const std::size_t head : muted)
    if (head < on.size()) on[head] = 0;
  return where(binary(Fn::differs, constant("switched_on", {x->shape.stack, 1, 1}, on), 0), x, 0);
}

// The largest of all matrices, place by place.
Formula stack_max(Formula x) {
  const Shape s = x->shape;
  const Formula by_place = transposed(reshaped(x, {1, s.stack, s.rows * s.columns}));
  return reshaped(row_max(by_place), {1, s.rows, s.columns});
}

}  // namespace

Formula formula(const Concat& op, const Given& in) {
  return merged_heads(without(in[0], op.muted));
}

Formula formula(const SplitHeads& op, const Given& in) {
  return without(split_heads(in[0], op.heads), op.muted);
}

Formula formula(const HeadSum& op, const Given& in) {
  return sum_of_groups(in[0], op.group);
}

Formula formula(const PickRow& op, const Given& in) {
  return rows(matrices(in[0], op.head, 1), op.row, 1);
}

Formula formula(const Reshape& op, const Given& in) {
  return reshaped(in[0], op.shape);
}

Formula formula(const TileHeads& op, const Given& in) {
  return tiled(in[0], op.heads / in[0]->shape.stack);
}

Formula formula(const Transpose&, const Given& in) {
  return transposed(in[0]);
}

Formula formula(const PatternShare&, const Given& in) {
  return exchanged(product(exchanged(in[0]), transposed(exchanged(in[1]))));
}

Formula formula(const AcrossHeads& op, const Given& in) {
  const Formula x = in[0];
  const auto heads = static_cast<double>(in[0]->shape.stack);
  const Formula mean = stack_sum(x) / heads;
  switch (op.figure) {
    case AcrossHeads::mean:
      return mean;
    case AcrossHeads::maximum:
      return stack_max(x);
    case AcrossHeads::spread:
      break;
  }
  const Formula away = x - mean;
  return of_each(Fn::root, stack_sum(away * away) / heads);
}

Formula formula(const HeadDifference& op, const Given& in) {
  const Formula x = in[0];
  return x - matrices(x, op.head, 1);
}

Formula formula(const HeadLikeness& op, const Given& in) {
  const Shape& s = in[0]->shape;
  const std::size_t size = s.rows * s.columns;
  const Formula x = in[0];
  if (op.measure == HeadLikeness::overlap) {
    const Formula a = reshaped(x, {s.stack, 1, size}), b = reshaped(x, {1, s.stack, size});
    const Formula larger = binary(Fn::larger, a, b);
    const Formula most = reshaped(row_sum(larger), {1, s.stack, s.stack});
    const Formula least = reshaped(row_sum(a + b - larger), {1, s.stack, s.stack});
    return where(binary(Fn::equal, most, 0), 0, least / most);
  }
  const Formula flat = reshaped(x, {1, s.stack, size});
  const Formula length = of_each(Fn::root, row_sum(flat * flat));
  const Formula lengths = length * transposed(length);
  return where(binary(Fn::equal, lengths, 0), 0, product(flat, transposed(flat)) / lengths);
}

Formula formula(const PartLength&, const Given& in) {
  const Formula part =
      product(in[0], reshaped(in[1], {in[0]->shape.stack, in[0]->shape.columns, in[1]->shape.columns}));
  return of_each(Fn::root, row_sum(part * part));
}

template struct CodeOf<Concat>;
template struct CodeOf<SplitHeads>;
template struct CodeOf<HeadSum>;
template struct CodeOf<PickRow>;
template struct CodeOf<Reshape>;
template struct CodeOf<TileHeads>;
template struct CodeOf<Transpose>;
template struct CodeOf<PatternShare>;
template struct CodeOf<AcrossHeads>;
template struct CodeOf<HeadDifference>;
template struct CodeOf<HeadLikeness>;
template struct CodeOf<PartLength>;

}  // namespace attn::code
