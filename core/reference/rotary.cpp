// Rotation pair by pair, with sines and cosines of double angles.
#include <cmath>

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Rotate& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  const WantedRows result = wanted<T>(op, inputs);
  const std::size_t columns = result.shape.columns, turned = op.rotary.turned(columns);
  const double gain = rotary_gain(op.rotary);
  std::vector<double> frequencies;
  for (std::size_t pair = 0; pair < turned / 2; ++pair) frequencies.push_back(turn_of(op, turned, pair));
  std::vector<T> values;
  values.reserve(result.count() * columns);
  for (std::size_t i = 0; i < result.count(); ++i) {
    const Cell at = result.row(i);
    const auto row = x.values().subspan((at.head * x.rows() + at.row) * columns, columns);
    const auto first = static_cast<std::ptrdiff_t>(values.size());
    values.insert(values.end(), row.begin(), row.end());
    const auto to = values.begin() + first;
    for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
      const double angle = static_cast<double>(op.first + at.row) * frequencies[pair];
      const double c = gain * std::cos(angle), s = gain * std::sin(angle);
      const std::size_t column = op.rotary.pairing == Pairing::half ? pair : 2 * pair;
      const RotaryPair p = rotary_pair(op.rotary.pairing, turned, column);
      const double a = static_cast<double>(row[p.x]), b = static_cast<double>(row[p.y]);
      to[static_cast<std::ptrdiff_t>(p.x)] = static_cast<T>(a * c - b * s);
      to[static_cast<std::ptrdiff_t>(p.y)] = static_cast<T>(a * s + b * c);
    }
  }
  return {result.result(), std::move(values)};
}

template struct Reference<Rotate>;

}  // namespace attn::reference
