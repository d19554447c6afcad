// Repeated rows added, and added up, in double.
#include "core/operations/repeated_rows.h"

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const AddRepeated& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return static_cast<double>(inputs[0][c]) +
           static_cast<double>(inputs[1][{0, c.row % inputs[1].rows(), c.column}]);
  });
}

template <class T>
BasicTensor<T> compute(const SumRepeated& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double sum = 0;
    for (std::size_t head = 0; head < inputs[0].stack(); ++head)
      for (std::size_t row = c.row; row < inputs[0].rows(); row += op.rows)
        sum += static_cast<double>(inputs[0][{head, row, c.column}]);
    return sum;
  });
}

template struct Reference<AddRepeated>;
template struct Reference<SumRepeated>;

}  // namespace attn::reference
