// KernelsSpec: what the workspace of kernels shows: points, and what is estimated from them by which kernels
// and widths. A plain value.
#pragma once

#include <cstdint>
#include <vector>

#include "core/operations/kernel.h"
#include "core/tensor/tensor.h"

namespace attn {

enum class PointSet {
  sine,     // y = 2·sin x + x + ε
  power,    // y = 2·sin x + x^0.8 + ε
  classes,  // one of two classes, as one-hot values
  own,      // given
};

enum class WidthRule {
  fixed,       // σ for all queries
  neighbours,  // for each query as far as its k-th nearest point
};

// Its fields, and all that is said about them, are listed in fields.h.
struct KernelsSpec {
  PointSet set = PointSet::sine;
  std::size_t count = 40;          // of drawn points
  std::uint64_t seed = 7;          // which points
  double noise = 1;                // standard deviation of ε; of classes: how far they reach into each other
  Tensor points = {};              // own ones, a row each: x, then one value or several
  PointSet truth = PointSet::own;  // the curve that own ones were drawn around; own: not known
  Tensor key_widths = {};          // what σ is multiplied by for each point, m×1; empty: 1
  // One estimate each: of several kernels with the first width, else of the one kernel with every width.
  std::vector<Kernel> kernels{Kernel::gaussian, Kernel::boxcar, Kernel::epanechnikov, Kernel::triangular};
  std::vector<double> widths{0.45};
  WidthRule width_rule = WidthRule::fixed;
  std::size_t neighbours = 8;  // k
  bool linear = false;         // the local line along with each estimate
  double first = 0, last = 5;  // where the estimates are read
  std::size_t queries = 101;   // and at how many places, both ends among them
  double norms = 0;  // how unequal the keys of the layer that is the same are: from 1 − norms to 1 + norms

  bool operator==(const KernelsSpec& other) const;
};

// The points as regression reads them, in order of x.
struct KernelPoints {
  Tensor keys;                     // m×1
  Tensor values;                   // m×c
  Tensor widths;                   // m×1; empty: 1 for all
  std::vector<std::size_t> order;  // which row of points_of each is
};
// x and values, a row each, as drawn or given. Throws Error, with the place, for a number that is not finite.
Tensor points_of(const KernelsSpec& spec);
KernelPoints sorted_points(const KernelsSpec& spec);  // throws Error too where there is none
Tensor queries_of(const KernelsSpec& spec);           // n×1

// What the values are drawn around: of classes the probability of the second. NaN of own points.
double true_value(PointSet set, double noise, double x);
// The set whose curve is known: that of drawn points, or what own ones were drawn from; own: none.
PointSet truth_of(const KernelsSpec& spec);

// One estimate.
struct KernelCurve {
  Kernel kernel = Kernel::gaussian;
  double width = 1;
};
std::vector<KernelCurve> curves_of(const KernelsSpec& spec);

// Candidates of the leave-one-out errors: widths from those that reach a neighbour to those that reach every
// point, each a fixed ratio wider; or neighbours from 1 on.
std::vector<double> candidate_widths(const KernelPoints& points);
std::vector<std::size_t> candidate_neighbours(const KernelPoints& points);
// Those of the rule: widths, or counts of neighbours.
std::vector<double> candidate_numbers(const KernelPoints& points, WidthRule rule);
// The operation's widths for them: s×1×1, s×1×m with a factor for each point, s×m×1 of neighbours.
Tensor candidates_of(const KernelPoints& points, WidthRule rule);

// Edits. What is drawn becomes the person's own as soon as a point of it changes.
void own_points(KernelsSpec& spec);
// Points from elsewhere in place of these; they are read where they lie.
void take_points(KernelsSpec& spec, Tensor points);
void add_point(KernelsSpec& spec, const std::vector<float>& row);  // as many numbers as the others have
// With y as value `value`; what else there is to say of it is as of its neighbour along x.
void add_point(KernelsSpec& spec, float x, float y, std::size_t value);
// Its value `value`. A point of a class stays one: it changes sides in the middle.
void move_point(KernelsSpec& spec, std::size_t row, float x, float y, std::size_t value = 0);
void remove_point(KernelsSpec& spec, std::size_t row);
// What σ is multiplied by for one point; 1 for all others that have none yet.
void set_key_width(KernelsSpec& spec, std::size_t row, float factor);
// Adds the kernel to the others or takes it away; one stays. The fourth but one gives way to a fifth.
void toggle_kernel(KernelsSpec& spec, Kernel kernel);
// One kernel with four widths at once, 0.1, 0.2, 0.5 and 1; again: with the first alone.
void toggle_widths(KernelsSpec& spec, Kernel kernel);

inline constexpr std::size_t kMostCurves = 4;

}  // namespace attn
