// How a number is written within the words of an explanation.
#pragma once

#include <cmath>
#include <string>

#include "core/text/text.h"

namespace attn {

// Three decimals at most, with the minus sign that figures have.
inline std::string written(double value) {
  const double rounded = std::round(value * 1000) / 1000;
  const std::string size = brief(std::isfinite(rounded) ? std::abs(rounded) : std::abs(value));
  return (value < 0 && rounded != 0 ? "−" : "") + size;
}

}  // namespace attn
