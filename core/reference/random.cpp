// Products of random vectors, number by number in double.
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const RandomProducts& op, TensorsOf<T> inputs) {
  std::vector<double> query;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column == 0) query = random_vector(op, c.row, 0);
    const std::vector<double> key = random_vector(op, c.row, 1 + c.column);
    double sum = inputs.empty() ? 0 : static_cast<double>(inputs[0][c]);
    for (std::size_t i = 0; i < query.size(); ++i) sum += query[i] * key[i];
    return sum;
  });
}

template struct Reference<RandomProducts>;

}  // namespace attn::reference
