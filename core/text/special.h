// The special numbers ∞ and NaN, in double.
#pragma once

#include <limits>

namespace attn {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace attn
