// Kernels of Nadaraya–Watson regression, and what is made of their weights.
#include "core/operations/kernel.h"

#include <numbers>

#include "core/code/family.h"
#include "core/text/special.h"

namespace attn::code {
namespace {

// u; 0 at the query itself, also of width 0.
Formula apart(Formula q, Formula k, Formula width) {
  const Formula difference = q - transposed(k);
  return where(binary(Fn::equal, difference, 0), 0, difference / width);
}

Formula in_reach(Formula u, Formula value) {
  return where(binary(Fn::above, 1, of_each(Fn::size, std::move(u))), std::move(value), 0);
}

Formula value_of(Kernel kernel, Formula u) {
  const Formula size = of_each(Fn::size, u), left = 1 - u * u, tri = 1 - size * size * size;
  switch (kernel) {
    case Kernel::gaussian:
      return of_each(Fn::exp, -0.5 * u * u);
    case Kernel::boxcar:  // the edge is where |u| rounds to 1 as a float
      return where(binary(Fn::at_least, 1 + 0x1p-24, size), 1, 0);
    case Kernel::triangular:
      return in_reach(u, 1 - size);
    case Kernel::epanechnikov:
      return in_reach(u, 0.75 * left);
    case Kernel::biweight:
      return in_reach(u, left * left);
    case Kernel::tricube:
      return in_reach(u, tri * tri * tri);
    case Kernel::cosine:
      return in_reach(u, of_each(Fn::cosine, std::numbers::pi / 2 * u));
    case Kernel::constant:
    case Kernel::dot:
      break;
  }
  return where(binary(Fn::equal, u, u), 1, 1);
}

// Of an exponential kernel.
Formula exponent(Kernel kernel, Formula q, Formula k, Formula width) {
  if (kernel == Kernel::dot) return q * transposed(k);
  const Formula u = apart(q, k, width);
  return -0.5 * u * u;
}

// What each key counts, up to a factor of its row; 0 where `left_out` is true.
Formula weights(Kernel kernel, Formula q, Formula k, Formula width, std::optional<Formula> left_out = {}) {
  if (!is_exponential(kernel)) {
    const Formula value = value_of(kernel, apart(q, k, width));
    return left_out ? where(*left_out, 0, value) : value;
  }
  Formula e = exponent(kernel, q, k, width);
  if (left_out) e = where(*left_out, -kInfinity, e);
  return of_each(Fn::exp, e - row_max(e));
}

Formula estimate(Formula weights, Formula values) {
  return product(weights, values) / row_sum(weights);
}

}  // namespace

Formula formula(const KernelDistance&, const Given& in) {
  return apart(in[0], in[1], in[2]);
}

Formula formula(const KernelValue& op, const Given& in) {
  return value_of(op.kernel, in[0]);
}

Formula formula(const KernelExponent& op, const Given& in) {
  const Formula e = exponent(op.kernel, in[0], in[1], in[2]);
  return e - row_max(e);
}

Formula formula(const NeighbourWidth& op, const Given& in) {
  const Formula nearest = of_each(Fn::descending, -1 * of_each(Fn::size, in[0] - transposed(in[1])));
  return -1 * columns(nearest, std::min(op.count, in[1]->shape.rows) - 1, 1);
}

Formula formula(const LinearWeights&, const Given& in) {
  const Formula w = where(binary(Fn::at_least, in[0], static_cast<double>(kLeastWeight)), in[0], 0);
  const Formula mean = product(w, in[2]) / row_sum(w), away = transposed(in[2]) - mean;
  const Formula spread = row_sum(w * away * away);
  return where(binary(Fn::equal, spread, 0), w, w * (1 + (in[1] - mean) * away / spread));
}

Formula formula(const KernelEstimate& op, const Given& in) {
  return estimate(weights(op.kernel, in[0], in[1], in[3]), in[2]);
}

// A point's own weight is 0.
Formula formula(const LeaveOneOut& op, const Given& in) {
  const std::size_t points = in[0]->shape.rows;
  const Formula own = binary(Fn::equal, places(points), columns_counted(points));
  const Formula off = in[1] - estimate(weights(op.kernel, in[0], in[0], in[2], own), in[1]);
  const Formula squares = row_sum(off * off);
  return has_width(op.kernel) ? squares : squares + 0 * row_max(in[2]);  // the same for every width
}

template struct CodeOf<KernelDistance>;
template struct CodeOf<KernelValue>;
template struct CodeOf<KernelExponent>;
template struct CodeOf<NeighbourWidth>;
template struct CodeOf<LinearWeights>;
template struct CodeOf<KernelEstimate>;
template struct CodeOf<LeaveOneOut>;

}  // namespace attn::code
