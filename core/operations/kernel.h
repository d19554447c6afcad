// Kernels of Nadaraya–Watson regression: how much a key counts by its distance from the query.
#pragma once

#include <array>
#include <string_view>

#include "core/operations/traits.h"

namespace attn {

// κ(u) of u = (q − k) ÷ σ; `dot` is that of q and k themselves.
enum class Kernel {
  gaussian,
  boxcar,
  constant,
  triangular,
  epanechnikov,
  biweight,
  tricube,
  cosine,
  dot,
};

struct KernelText {
  std::string_view word, title;  // of sessions and the command line; of the controls
  std::string_view formula;      // "¾·(1 − u²)"
  std::string_view support;      // where it is not 0
  std::string_view note = {};
};

inline constexpr std::array<KernelText, 9> kKernels{{
    {"gaussian", "Gaussian", "exp(−u²/2)", "everywhere"},
    {"boxcar", "boxcar", "1", "|u| ≤ 1", "the edge counts: some programs have |u| < 1"},
    {"constant", "constant", "1", "everywhere", "every key counts the same: the mean of all values"},
    {"triangular", "triangular", "1 − |u|", "|u| < 1",
     "often printed under the name Epanechnikov, whose kernel is another"},
    {"epanechnikov", "Epanechnikov", "¾·(1 − u²)", "|u| < 1",
     "max(0, 1 − |u|), often printed under this name, is the triangular kernel"},
    {"biweight", "biweight", "(1 − u²)²", "|u| < 1", "its factor 15/16 cancels in the quotient"},
    {"tricube", "tricube", "(1 − |u|³)³", "|u| < 1", "its factor 70/81 cancels in the quotient"},
    {"cosine", "cosine", "cos(πu/2)", "|u| < 1", "its factor π/4 cancels in the quotient"},
    {"dot", "exponential dot product", "exp(q·k/√d)", "everywhere",
     "softmax attention itself, with d = 1: it has no width"},
}};
inline const KernelText& kernel_text(Kernel kernel) {
  return kKernels[static_cast<std::size_t>(kernel)];
}
// Whether it is an exponential: its weights are a softmax, defined however far the keys are.
inline bool is_exponential(Kernel kernel) {
  return kernel == Kernel::gaussian || kernel == Kernel::dot;
}
// Whether it depends on σ.
inline bool has_width(Kernel kernel) {
  return kernel != Kernel::constant && kernel != Kernel::dot;
}

// Inputs of the operations over queries q (1×n×1) and keys k (1×m×1) take widths σ that are 1×n×m, or one for
// each query (1×n×1), for each key (1×1×m), or for all (1×1×1). A width of 0 is the limit: u is 0 at the
// query itself, and ±∞ elsewhere.

// u = (q − k) ÷ σ: 1×n×m.
struct KernelDistance {
  static constexpr const char* kName = "kernel_distance";
  bool operator==(const KernelDistance&) const = default;
};

// Y = κ(u), any shape. Not of the dot product, which is no function of u.
struct KernelValue {
  static constexpr const char* kName = "kernel_value";
  Kernel kernel = Kernel::boxcar;
  bool operator==(const KernelValue&) const = default;
};

// Inputs q, k, σ: the exponent of an exponential kernel less the largest of its row (1×n×m). Subtracted
// before anything is rounded, −(u² − u*²)/2 = −(k* − k)(2q − k − k*)/2σ² where the widths are equal: far from
// all keys two exponents differ by less than a float's digits of either.
struct KernelExponent {
  static constexpr const char* kName = "kernel_exponent";
  Kernel kernel = Kernel::gaussian;
  bool operator==(const KernelExponent&) const = default;
};

// Inputs q, k: the distance from each query to its count-th nearest key (1×n×1), or to the farthest of fewer.
struct NeighbourWidth {
  static constexpr const char* kName = "neighbour_width";
  std::size_t count = 1;
  bool operator==(const NeighbourWidth&) const = default;
};

// The arithmetic of one number, in double. The edge is where |u| rounds to 1 as a float: in double the typed
// numbers 0.3 and 0.1 are not one width of 0.2 apart.
double kernel_distance(double query, double key, double width);
double kernel_value(Kernel kernel, double u);

// Multiply-adds of a query and a key: their exponent, its exponential, two sums.
inline constexpr double kPairWork = 16;

// Throws Error unless queries, keys and widths are columns that go together.
void check_pairs(Shape queries, Shape keys, Shape widths);

}  // namespace attn
