// One query and all keys in double: their exponents and kernels. Shared by the reference and the explanations
// of the families of kernels.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "core/operations/kernel.h"

namespace attn {

// T: of the stages. Row `row` of the widths' matrix `matrix` belongs to the query.
template <class T>
struct KernelRow {
  const BasicTensor<T>& keys;
  const BasicTensor<T>& widths;
  double query = 0;
  std::size_t row = 0, matrix = 0;
  std::optional<std::size_t> skip = {};  // a key that is left out

  double key(std::size_t j) const { return keys[{0, j, 0}]; }
  double width(std::size_t j) const {
    return widths[{matrix, widths.rows() == 1 ? 0 : row, widths.columns() == 1 ? 0 : j}];
  }
  double distance(std::size_t j) const { return kernel_distance(query, key(j), width(j)); }
  bool one_width() const { return widths.columns() == 1; }

  // The exponent of key j less that of key `than`.
  double exponent(Kernel kernel, std::size_t j, std::size_t than) const {
    if (kernel == Kernel::dot) return query * (key(j) - key(than));
    if (!one_width()) {
      const double a = std::abs(kernel_distance(query, key(j), width(j)));
      const double b = std::abs(kernel_distance(query, key(than), width(than)));
      return a == b ? 0 : -(a - b) * (a + b) / 2;
    }
    const double product = (key(than) - key(j)) * ((query - key(j)) + (query - key(than)));
    return product == 0 ? 0 : -product / (2 * width(j) * width(j));
  }
  // The first key of the largest exponent; none: there is no key.
  std::optional<std::size_t> largest(Kernel kernel) const {
    std::optional<std::size_t> best;
    for (std::size_t j = 0; j < keys.rows(); ++j)
      if (j != skip && (!best || exponent(kernel, j, *best) > 0)) best = j;
    return best;
  }

  // κ of each key, of exponentials relative to the largest; 0 for the one left out. Flattened: left to g++,
  // every number that is read is a call.
  [[gnu::flatten]] std::vector<double> kernels(Kernel kernel) const {
    std::vector<double> all(keys.rows());
    const auto best = is_exponential(kernel) ? largest(kernel) : std::nullopt;
    for (std::size_t j = 0; j < all.size(); ++j)
      if (j != skip) all[j] = best ? std::exp(exponent(kernel, j, *best)) : kernel_value(kernel, distance(j));
    return all;
  }
};

}  // namespace attn
