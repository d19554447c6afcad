// Numbers that are none.
#pragma once

#include <limits>

namespace attn::tests {

inline constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kFloatNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace attn::tests
