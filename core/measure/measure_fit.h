// What measured times say: by which power of n they grow, and where two of them cross.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/measure/measured.h"

namespace attn {

struct FitPoint {
  double n = 0, seconds = 0;
  double relative_error = 0;  // of the seconds
};

// seconds ≈ factor · n^exponent, from n = first to n = last.
struct PowerFit {
  double exponent = 0, error = 0;  // one standard error
  double factor = 0;
  double first = 0, last = 0;
  std::size_t points = 0;
  bool holds = false;  // the points lie on it within what their own spread explains
};

// Least squares of log seconds over log n, each point weighted by its error, over the longest tail that is a
// straight line: from the three largest n backwards, as long as the next point lies within two standard
// errors of where the line through the later ones puts it. Short times are left out so, as what a launch
// costs bends the line there. An error below kLeastError counts as that: sizes fit caches and tiles
// differently well, which repeating does not show. Where already the last three lie on no line (their squared
// residuals, in units of their errors, exceed ν + 2√(2ν), two standard deviations above the mean of χ² with ν
// = 1) these are fitted, and the error grows by what they deviate. Nothing of fewer than three. Points ascend
// in n.
std::optional<PowerFit> fit_power(std::span<const FitPoint> points);
inline constexpr double kLeastError = 0.05;

// Of the points of one subject. Those with a single sample are taken as kLeastError exact.
std::optional<PowerFit> fit_power(const Measured& measured, std::string_view subject);

// Where two curves cross: n on the lines, in logarithms, between points measured at the same n; ascending.
std::vector<double> measured_crossings(const Measured& measured, std::string_view a, std::string_view b);

}  // namespace attn
