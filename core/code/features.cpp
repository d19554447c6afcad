// Feature maps and linear attention over pairs of features, and the way back.
#include "core/operations/linear_attention.h"

#include "core/code/family.h"
#include "core/text/special.h"

namespace attn::code {
namespace {

// Of the widths h×n×r of features, g×m×r, and c of values.
struct Linear {
  Formula q, k, v;       // of as many heads as queries have
  Formula pairs, total;  // φ(q)·φ(k), 0 where a query does not see the key; and its sum
  Formula seen;          // keys, of each query
};

Linear linear_of(const LinearAttention& op, const Given& in) {
  const Shape &q = in[0]->shape, &k = in[1]->shape;
  std::vector<double> counts(q.rows);
  for (std::size_t i = 0; i < q.rows; ++i) counts[i] = static_cast<double>(keys_seen(op, i, q.rows, k.rows));
  const Formula seen = constant("keys_seen", {1, q.rows, 1}, counts);
  const Formula keys = shared_by(in[1], q.stack);
  const Formula pairs =
      where(binary(Fn::above, seen, columns_counted(k.rows)), product(in[0], transposed(keys)), 0);
  return {in[0], keys, shared_by(in[2], q.stack), pairs, row_sum(pairs), seen};
}

}  // namespace

Formula formula(const FeatureMap& op, const Given& in) {
  const Formula x = op.scale == 1 ? in[0] : op.scale * in[0];
  switch (op.kind) {
    case FeatureKind::elu_plus_one:
      return where(binary(Fn::above, x, 0), x + 1, of_each(Fn::exp, x));
    case FeatureKind::relu:
      return binary(Fn::larger, x, 0);
    case FeatureKind::random:
      break;
  }
  const double root = std::sqrt(static_cast<double>(in[1]->shape.columns));
  return of_each(Fn::exp, product(x, in[1]) - 0.5 * row_sum(x * x)) / root;
}

Formula formula(const FeatureMapGradient& op, const Given& in) {
  const FeatureMap& map = op.forward;
  const Formula x = map.scale == 1 ? in[0] : map.scale * in[0];
  const Formula &y = in[in.size() - 2], &g = in.back();
  switch (map.kind) {
    case FeatureKind::elu_plus_one:
      return times_or_zero(g, map.scale * where(binary(Fn::above, y, 1), 1, y));
    case FeatureKind::relu:
      return where(binary(Fn::above, y, 0), map.scale * g, 0);
    case FeatureKind::random:
      break;
  }
  const Formula flow = times_or_zero(g, y);
  return map.scale * (product(flow, transposed(in[1])) - row_sum(flow) * x);
}

Formula formula(const LinearAttention& op, const Given& in) {
  const Linear l = linear_of(op, in);
  const Formula output = product(l.pairs, l.v) / l.total;
  return beside(where(binary(Fn::equal, l.seen, 0), 0, output), l.total);
}

Formula formula(const LinearState& op, const Given& in) {
  const Formula keys = rows(in[0], 0, op.keys), values = rows(in[1], 0, op.keys);
  return beside(product(transposed(keys), values), transposed(column_sum(keys)));
}

Formula formula(const LinearGradient& op, const Given& in) {
  const Linear l = linear_of(op.forward, in);
  const Formula &output = in[3], &g = in[4];
  const std::size_t width = in[2]->shape.columns, shared = in[0]->shape.stack / in[1]->shape.stack;
  const Formula sees = binary(Fn::above, l.seen, columns_counted(in[1]->shape.rows));
  const Formula per_total = where(binary(Fn::equal, l.seen, 0), 0, g / columns(output, width, 1));
  const Formula to_pairs =
      where(sees, product(per_total, transposed(l.v)) - row_sum(per_total * columns(output, 0, width)), 0);
  if (op.of == LinearSide::queries) return product(to_pairs, l.k);
  return sum_of_groups(beside(product(transposed(to_pairs), l.q), product(transposed(l.pairs), per_total)),
                       shared);
}

template struct CodeOf<FeatureMap>;
template struct CodeOf<FeatureMapGradient>;
template struct CodeOf<LinearAttention>;
template struct CodeOf<LinearState>;
template struct CodeOf<LinearGradient>;

}  // namespace attn::code
