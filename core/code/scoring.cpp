// Scores that are no products, local attention, and what flows back through both. Pairs of a query and a key
// are taken one query a matrix: h×n×d becomes (h·n)×1×d.
#include "core/operations/scoring.h"

#include "core/code/family.h"

namespace attn::code {
namespace {

struct Pairs {
  Formula q, k;            // (h·n)×1×d, and (h·n)×m×d or one matrix for all
  Shape shape;             // h×n×m
  std::size_t shared = 1;  // heads that share keys
};

Pairs pairs_of(Formula q, Formula k) {
  const Shape a = q->shape, b = k->shape;
  const std::size_t rows = a.stack * a.rows;
  return {
      reshaped(q, {rows, 1, a.columns}), shared_by(k, rows), {a.stack, a.rows, b.rows}, a.stack / b.stack};
}

// What each pair has, (h·n)×m×a, added up over the keys of a query, h×n×a, or over the queries of a key.
Formula over_keys(const Shape& pairs, Formula x) {
  const std::size_t width = x->shape.columns;
  return reshaped(column_sum(x), {pairs.stack, pairs.rows, width});
}
Formula over_queries(const Shape& pairs, Formula x, std::size_t shared) {
  const std::size_t width = x->shape.columns;
  const Formula sums = column_sum(reshaped(x, {pairs.stack, pairs.rows, pairs.columns * width}));
  return sum_of_groups(reshaped(sums, {pairs.stack, pairs.columns, width}), shared);
}
Formula over_all(Formula x) {
  return stack_sum(column_sum(x));
}
// A number for each pair, h×n×m, as (h·n)×m×1.
Formula each_pair(Formula g) {
  const Shape s = g->shape;
  return reshaped(g, {s.stack * s.rows, s.columns, 1});
}

Formula keys_from(Formula centre, std::size_t keys) {
  return columns_counted(keys) - std::move(centre);
}

double square(std::size_t reach) {
  return static_cast<double>(reach) * static_cast<double>(reach) / 4;
}

}  // namespace

Formula formula(const SquaredDistance&, const Given& in) {
  const Pairs p = pairs_of(in[0], in[1]);
  const Formula apart = p.q - p.k;
  return reshaped(row_sum(apart * apart), p.shape);
}

Formula formula(const TakeColumns& op, const Given& in) {
  return columns(in[0], op.first, op.count);
}

Formula formula(const PairSum&, const Given& in) {
  const Pairs p = pairs_of(in[0], in[1]);
  return reshaped(p.q + p.k, {p.shape.stack, p.shape.rows * p.shape.columns, in[0]->shape.columns});
}

Formula formula(const PairProduct& op, const Given& in) {
  const Formula sums = product(in[0], transposed(in[1]));
  return reshaped(sums, {in[0]->shape.stack, in[0]->shape.rows / op.keys, op.keys});
}

Formula formula(const AdditiveScore&, const Given& in) {
  const Pairs p = pairs_of(in[0], in[1]);
  return reshaped(product(of_each(Fn::tanh, p.q + p.k), transposed(in[2])), p.shape);
}

Formula formula(const TanhGradient& op, const Given& in) {
  const Formula share = op.cap == 1 ? in[0] : in[0] / op.cap;
  return in[1] * (1 - share * share);
}

// By a product with the columns of the identity that they go to.
Formula formula(const PutColumns& op, const Given& in) {
  const Formula from = places(in[0]->shape.columns, static_cast<std::ptrdiff_t>(op.first));
  return product(in[0], where(binary(Fn::equal, from, columns_counted(op.width)), 1, 0));
}

Formula formula(const DistanceGradient& op, const Given& in) {
  const Pairs p = pairs_of(in[0], in[1]);
  const Formula flow = 2 * times_or_zero(each_pair(in[2]), p.q - p.k);
  return op.of == ScoreSide::queries ? over_keys(p.shape, flow) : -1 * over_queries(p.shape, flow, p.shared);
}

Formula formula(const PairSumGradient& op, const Given& in) {
  const Shape& s = in[0]->shape;
  const Shape pairs{s.stack, s.rows / op.keys, op.keys};
  const Formula g = reshaped(in[0], {s.stack * pairs.rows, op.keys, s.columns});
  return op.of == ScoreSide::queries ? over_keys(pairs, g) : over_queries(pairs, g, op.summed);
}

Formula formula(const PairProductGradient& op, const Given& in) {
  const Shape& s = in[0]->shape;
  const Formula flow = times_or_zero(reshaped(in[0], {s.stack, s.rows * s.columns, 1}), in[1]);
  return op.of == ScoreSide::vector ? over_all(flow) : flow;
}

Formula formula(const AdditiveGradient& op, const Given& in) {
  const Pairs p = pairs_of(in[0], in[1]);
  const Formula bent = of_each(Fn::tanh, p.q + p.k), g = each_pair(in[3]);
  if (op.of == ScoreSide::vector) return over_all(times_or_zero(g, bent));
  const Formula flow = times_or_zero(g, in[2] * (1 - bent * bent));
  return op.of == ScoreSide::queries ? over_keys(p.shape, flow) : over_queries(p.shape, flow, p.shared);
}

Formula formula(const LocalCentre& op, const Given& in) {
  return static_cast<double>(op.keys) * sigmoid(in[0]);
}

Formula formula(const LocalMask& op, const Given& in) {
  const Formula outside =
      binary(Fn::above, of_each(Fn::size, keys_from(in[0], op.keys)), static_cast<double>(op.reach));
  if (in.size() == 1) return outside;
  return binary(Fn::either, outside, binary(Fn::differs, shared_by(in[1], in[0]->shape.stack), 0));
}

Formula formula(const LocalDecay& op, const Given& in) {
  const Formula apart = keys_from(in[1], in[0]->shape.columns);
  return in[0] * of_each(Fn::exp, -1 * apart * apart / (2 * square(op.reach)));
}

Formula formula(const CentreGradient& op, const Given& in) {
  return in[1] * in[0] * (1 - in[0] / static_cast<double>(op.keys));
}

Formula formula(const DecayGradient& op, const Given& in) {
  const Formula flow = times_or_zero(in[0], in[2]) * keys_from(in[1], in[0]->shape.columns);
  return row_sum(flow) / square(op.reach);
}

template struct CodeOf<SquaredDistance>;
template struct CodeOf<TakeColumns>;
template struct CodeOf<PairSum>;
template struct CodeOf<PairProduct>;
template struct CodeOf<AdditiveScore>;
template struct CodeOf<TanhGradient>;
template struct CodeOf<PutColumns>;
template struct CodeOf<DistanceGradient>;
template struct CodeOf<PairSumGradient>;
template struct CodeOf<PairProductGradient>;
template struct CodeOf<AdditiveGradient>;
template struct CodeOf<LocalCentre>;
template struct CodeOf<LocalMask>;
template struct CodeOf<LocalDecay>;
template struct CodeOf<CentreGradient>;
template struct CodeOf<DecayGradient>;

}  // namespace attn::code
