// A number that all of yours are of ours, told in spite of some that are something else.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/operations/precision.h"

namespace attn {

struct PairOfNumbers {
  double yours = 0, ours = 0;
};

struct FittedRatio {
  double ratio = 0;  // yours ÷ ours
  double share = 0;  // of the pairs that have it
};

// Least squares over the pairs whose ratio is about the median one. Pairs whose ours is small beside the
// others say little and are passed over. Nothing where there is too little to say. `format`: of what ours are
// rounded to, how near "about" can be.
std::optional<FittedRatio> fitted_ratio(std::span<const PairOfNumbers> pairs, NumberFormat format);

// A number that was found by fitting, as a person would have written it: with two digits behind the point
// where it is so near to that.
double as_written(double fitted, NumberFormat format);
// "1.7", with four digits at most.
std::string fitted_words(double value);

}  // namespace attn
