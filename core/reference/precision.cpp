// Rounding to a format and sums in it: the same bits as on any device.
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Round& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return rounded(op.format, inputs[0][c]); });
}

template <class T>
BasicTensor<T> compute(const FormatSum& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const auto row = x.values().subspan((c.head * x.rows() + c.row) * x.columns(), x.columns());
    return format_sum(op, std::vector<double>(row.begin(), row.end()));
  });
}

template struct Reference<Round>;
template struct Reference<FormatSum>;

}  // namespace attn::reference
