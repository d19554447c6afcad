// A mean square distance and what flows back through it, in double.
#include "core/operations/mean_square_row.h"

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const MeanSquare&, TensorsOf<T> inputs) {
  const double asked = numbers_asked(inputs[1].values());
  const double sum = sum_of_squares(inputs[0].values(), inputs[1].values());
  return {{1, 1, 1}, {static_cast<T>(asked > 0 ? sum / asked : 0)}};
}

template <class T>
BasicTensor<T> compute(const MeanSquareGradient& op, TensorsOf<T> inputs) {
  const double asked = numbers_asked(inputs[1].values());
  const double g = static_cast<double>(inputs[2].values()[0]);
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const double x = static_cast<double>(inputs[0][c]), t = static_cast<double>(inputs[1][c]);
    return std::isnan(t) ? 0 : 2 * (x - t) * g / asked;
  });
}

template struct Reference<MeanSquare>;
template struct Reference<MeanSquareGradient>;

}  // namespace attn::reference
