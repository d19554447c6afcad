// Kernels cell by cell, in double: plain, since others are measured by it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/operations/kernel_row.h"
#include "core/reference/family.h"

namespace attn::reference {
namespace {

template <class T>
KernelRow<T> row_at(TensorsOf<T> inputs, std::size_t query) {
  return {.keys = inputs[1], .widths = inputs[2], .query = inputs[0][{0, query, 0}], .row = query};
}

}  // namespace

template <class T>
BasicTensor<T> compute(const KernelDistance& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return row_at(inputs, c.row).distance(c.column); });
}

template <class T>
BasicTensor<T> compute(const KernelValue& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return kernel_value(op.kernel, inputs[0][c]); });
}

template <class T>
BasicTensor<T> compute(const KernelExponent& op, TensorsOf<T> inputs) {
  std::size_t largest = 0;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const KernelRow<T> row = row_at(inputs, c.row);
    if (c.column == 0) largest = *row.largest(op.kernel);
    return row.exponent(op.kernel, c.column, largest);
  });
}

template <class T>
BasicTensor<T> compute(const NeighbourWidth& op, TensorsOf<T> inputs) {
  std::vector<double> distances(inputs[1].rows());
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    for (std::size_t j = 0; j < distances.size(); ++j) {
      const double d =
          std::abs(static_cast<double>(inputs[0][c]) - static_cast<double>(inputs[1].values()[j]));
      distances[j] = std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
    }
    const auto place =
        distances.begin() + static_cast<std::ptrdiff_t>(std::min(op.count, distances.size()) - 1);
    std::ranges::nth_element(distances, place);
    return *place;
  });
}

template struct Reference<KernelDistance>;
template struct Reference<KernelValue>;
template struct Reference<KernelExponent>;
template struct Reference<NeighbourWidth>;

}  // namespace attn::reference
