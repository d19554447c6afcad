// The way back through distances, pairs and tanh in double: plain, since others are measured by it.
#include <cmath>

#include "core/operations/score_pairs.h"
#include "core/reference/family.h"

namespace attn::reference {
namespace {

template <class T>
double wide(const BasicTensor<T>& x, Cell cell) {
  return static_cast<double>(x[cell]);
}

// Σ term(g, pair) over the pairs of a row, or over all, into which something flows.
template <class T, class Term>
double sum_of_pairs(const ScorePairs& pairs, const BasicTensor<T>& g, Cell own, Term term) {
  double sum = 0;
  for (std::size_t i = 0; i < pairs.count(); ++i) {
    const ScorePair pair = pairs.at(own, i);
    const double flows = wide(g, pair.score());
    if (flows != 0) sum += term(flows, pair);
  }
  return sum;
}

template <class T>
BasicTensor<T> additive_vector(const AdditiveGradient& op, TensorsOf<T> inputs) {
  const auto &q = inputs[0], &k = inputs[1], &g = inputs[3];
  const ScorePairs pairs = score_pairs(ScoreSide::queries, q.shape(), k.shape());
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double sum = 0;
    for (Cell own{0, 0, c.column}; own.head < q.stack(); ++own.head)
      for (own.row = 0; own.row < q.rows(); ++own.row)
        sum += sum_of_pairs(pairs, g, own, [&](double flows, const ScorePair& pair) {
          return flows * std::tanh(wide(q, pair.query) + wide(k, pair.key));
        });
    return sum;
  });
}

template <class T>
BasicTensor<T> weighed_pairs(const PairProductGradient& op, TensorsOf<T> inputs) {
  const auto &g = inputs[0], &x = inputs[1];
  const std::size_t width = x.columns();
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double sum = 0;
    for (std::size_t pair = 0; pair < g.values().size(); ++pair) {
      const double flows = static_cast<double>(g.values()[pair]);
      if (flows != 0) sum += flows * static_cast<double>(x.values()[pair * width + c.column]);
    }
    return sum;
  });
}

}  // namespace

template <class T>
BasicTensor<T> compute(const TanhGradient& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs),
                     [&](Cell c) { return wide(inputs[1], c) * slope_of_result(op, wide(inputs[0], c)); });
}

template <class T>
BasicTensor<T> compute(const PutColumns& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column < op.first || c.column - op.first >= x.columns()) return T{0};
    return x[{c.head, c.row, c.column - op.first}];
  });
}

template <class T>
BasicTensor<T> compute(const DistanceGradient& op, TensorsOf<T> inputs) {
  const auto &q = inputs[0], &k = inputs[1];
  const ScorePairs pairs = score_pairs(op.of, q.shape(), k.shape());
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return sum_of_pairs(pairs, inputs[2], c, [&](double flows, const ScorePair& pair) {
      const double apart = wide(q, pair.query) - wide(k, pair.key);
      return 2 * (flows * (op.of == ScoreSide::queries ? apart : -apart));
    });
  });
}

template <class T>
BasicTensor<T> compute(const PairSumGradient& op, TensorsOf<T> inputs) {
  const auto& g = inputs[0];
  const ScorePairs pairs = score_pairs(op, g.shape());
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double sum = 0;
    for (std::size_t i = 0; i < pairs.count(); ++i) sum += wide(g, pairs.at(c, i).row(op.keys));
    return sum;
  });
}

template <class T>
BasicTensor<T> compute(const PairProductGradient& op, TensorsOf<T> inputs) {
  if (op.of == ScoreSide::vector) return weighed_pairs<T>(op, inputs);
  const auto &g = inputs[0], &v = inputs[1];
  const std::size_t keys = g.columns();
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const double flows = wide(g, {c.head, c.row / keys, c.row % keys});
    return flows == 0 ? 0 : flows * wide(v, {0, 0, c.column});
  });
}

template <class T>
BasicTensor<T> compute(const AdditiveGradient& op, TensorsOf<T> inputs) {
  if (op.of == ScoreSide::vector) return additive_vector<T>(op, inputs);
  const auto &q = inputs[0], &k = inputs[1];
  const ScorePairs pairs = score_pairs(op.of, q.shape(), k.shape());
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const double v = wide(inputs[2], {0, 0, c.column});
    return sum_of_pairs(pairs, inputs[3], c, [&](double flows, const ScorePair& pair) {
      return flows * (v * tanh_slope(wide(q, pair.query) + wide(k, pair.key)));
    });
  });
}

template struct Reference<TanhGradient>;
template struct Reference<PutColumns>;
template struct Reference<DistanceGradient>;
template struct Reference<PairSumGradient>;
template struct Reference<PairProductGradient>;
template struct Reference<AdditiveGradient>;

}  // namespace attn::reference
