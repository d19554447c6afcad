// What sparse attention takes, by its share of the time of flash attention over all pairs.
#pragma once

#include <optional>
#include <ostream>

#include "core/measure/measured.h"

namespace attn::bench {

// The time of `one` by that of `other`, in the rounds that measured both: whatever else ran then met both.
double ratio(const MeasuredPoint& one, const MeasuredPoint& other);

// Its time by that of flash at the same n, times the share of flash's pairs that it computes; none where
// flash was not measured.
std::optional<double> times_of_share(const Measured& measured, const MeasuredPoint& point);

// A line for each subject that has its bar, or its goal: what it reached at each n.
void print_shares(const Measured& measured, std::ostream& out);

}  // namespace attn::bench
