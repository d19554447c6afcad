// What is said of a device that computes a number wrongly.
#pragma once

#include <string>

#include "core/tensor/tensor.h"

namespace attn {

// Throws Error(Fault::device): "pocl computes wrong numbers: scores[1, 0, 3] is 1.5, on the reference 1.25",
// and what to do. `result`: what the matrices of this shape are called.
[[noreturn]] void throw_wrong_number(const std::string& device, const std::string& result, Shape shape,
                                     Cell cell, float number, float reference);

}  // namespace attn
