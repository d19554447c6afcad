// How a number is written within the words of an explanation, and a row named.
#pragma once

#include <cmath>
#include <string>

#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace attn {

// Three decimals at most, with the minus sign that figures have.
inline std::string written(double value) {
  const double rounded = std::round(value * 1000) / 1000;
  const std::string size = brief(std::isfinite(rounded) ? std::abs(rounded) : std::abs(value));
  return (value < 0 && rounded != 0 ? "−" : "") + size;
}

// "row 3 of head 1", of a stack of this shape.
inline std::string row_words(const Shape& of, Cell cell) {
  return "row " + std::to_string(cell.row) + (of.stack > 1 ? " of head " + std::to_string(cell.head) : "");
}

}  // namespace attn
