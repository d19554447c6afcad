// Feature maps and what flows back through them, in double.
#include "core/operations/features_row.h"
#include "core/operations/row_norm_row.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const FeatureMap& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  if (op.kind != FeatureKind::random)
    return generate<T>(wanted<T>(op, inputs),
                       [&](Cell c) { return feature_of(op.kind, op.scale * static_cast<double>(x[c])); });
  const double root = std::sqrt(static_cast<double>(inputs[1].columns()));
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return std::exp(random_exponent(op.scale, row_numbers(x, c.head, c.row), inputs[1], c.column).value()) /
           root;
  });
}

template <class T>
BasicTensor<T> compute(const FeatureMapGradient& op, TensorsOf<T> inputs) {
  const FeatureMap& map = op.forward;
  if (map.kind != FeatureKind::random)
    return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
      const double slope = feature_slope(map.kind, static_cast<double>(inputs[1][c]));
      return product_or_zero(static_cast<double>(inputs[2][c]), map.scale * slope);
    });
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const double x = map.scale * static_cast<double>(inputs[0][c]);
    double sum = 0;
    for (std::size_t r = 0; r < inputs[1].columns(); ++r) {
      const Cell at{c.head, c.row, r};
      sum += random_flow(static_cast<double>(inputs[3][at]), static_cast<double>(inputs[2][at]),
                         static_cast<double>(inputs[1][{0, c.column, r}]), x);
    }
    return map.scale * sum;
  });
}

template struct Reference<FeatureMap>;
template struct Reference<FeatureMapGradient>;

}  // namespace attn::reference
