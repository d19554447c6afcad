// Weights of several heads at once, in double.
#include <cmath>

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const PatternShare& op, TensorsOf<T> inputs) {
  const auto &w = inputs[0], &p = inputs[1];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double sum = 0;
    for (std::size_t j = 0; j < w.columns(); ++j)
      sum += static_cast<double>(w[{c.head, c.row, j}]) * static_cast<double>(p[{c.column, c.row, j}]);
    return sum;
  });
}

template <class T>
BasicTensor<T> compute(const AcrossHeads& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  std::vector<double> place(x.stack());
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    for (std::size_t r = 0; r < place.size(); ++r) place[r] = static_cast<double>(x[{r, c.row, c.column}]);
    return across_value(op.figure, place);
  });
}

template <class T>
BasicTensor<T> compute(const HeadDifference& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return static_cast<double>(x[c]) - static_cast<double>(x[{op.head, c.row, c.column}]);
  });
}

template <class T>
BasicTensor<T> compute(const HeadLikeness& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  const std::size_t size = x.rows() * x.columns();
  const auto head = [&](std::size_t r) { return x.values().subspan(r * size, size); };
  return generate<T>(wanted<T>(op, inputs),
                     [&](Cell c) { return likeness_value<T>(op.measure, head(c.row), head(c.column)); });
}

template <class T>
BasicTensor<T> compute(const PartLength& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double squares = 0;
    for (std::size_t column = 0; column < inputs[1].columns(); ++column) {
      const double part = part_value(inputs[0], inputs[1], c, column);
      squares += part * part;
    }
    return std::sqrt(squares);
  });
}

template struct Reference<PatternShare>;
template struct Reference<AcrossHeads>;
template struct Reference<HeadDifference>;
template struct Reference<HeadLikeness>;
template struct Reference<PartLength>;

}  // namespace attn::reference
