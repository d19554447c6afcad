// Lengths of rows, and rows divided by them, in double.
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const RowLength& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double squares = 0;
    for (std::size_t j = 0; j < x.columns(); ++j) {
      const double number = x[{c.head, c.row, j}];
      squares += number * number;
    }
    return length_value(op, squares, x.columns());
  });
}

template <class T>
BasicTensor<T> compute(const ByLength& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return by_length_value(inputs[0][c], inputs[1][{c.head, c.row, 0}]);
  });
}

template struct Reference<RowLength>;
template struct Reference<ByLength>;

}  // namespace attn::reference
