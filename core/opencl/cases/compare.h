// A device's result held against the reference's.
#pragma once

#include <string>

#include "core/opencl/cases/cases.h"

namespace attn::opencl {

struct Deviation {
  double largest_error = 0;  // |device − reference| ÷ max(1, |reference|), over the finite numbers
  std::size_t wrong =
      0;  // numbers beyond the tolerance, or special where the reference isn't (or the reverse)
  std::string first_wrong;  // "cell [0, 3, 1] is 1.5, the reference 1.25 (tolerance 1e-07)"
};

// `device` is what the device made of the case.
Deviation compare(const Declaration& declaration, const Case& c, const Tensor& device,
                  const Arithmetic& arithmetic);

}  // namespace attn::opencl
