#include "core/reference/operations.h"

namespace attn::reference {

template <class T>
BasicTensor<T> run(const Scale& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(x.shape(), [&](Cell c) { return static_cast<double>(x[c]) * op.factor; });
}

template <class T>
BasicTensor<T> run(const Add& op, TensorsOf<T> inputs) {
  const auto &x = inputs[0], &b = inputs[1];
  return generate<T>(shape_of<T>(op, inputs), [&](Cell c) {
    const std::size_t s = shared_matrix(c.head, b.stack(), x.stack());
    return static_cast<double>(x[c]) + static_cast<double>(b[{s, c.row, c.column}]);
  });
}

template <class T>
BasicTensor<T> run(const Override& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  std::vector<T> values(x.values().begin(), x.values().end());
  for (const CellValue& c : op.cells) values[x.index(c.cell)] = static_cast<T>(c.value);
  return {x.shape(), std::move(values)};
}

template BasicTensor<float> run(const Scale&, TensorsOf<float>);
template BasicTensor<double> run(const Scale&, TensorsOf<double>);
template BasicTensor<float> run(const Add&, TensorsOf<float>);
template BasicTensor<double> run(const Add&, TensorsOf<double>);
template BasicTensor<float> run(const Override&, TensorsOf<float>);
template BasicTensor<double> run(const Override&, TensorsOf<double>);

}  // namespace attn::reference
