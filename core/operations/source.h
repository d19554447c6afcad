// Source: a matrix the user gave. It has no arithmetic; every chain of explanations ends in one.
#pragma once

#include "core/operations/traits.h"

namespace attn {

struct Source {
  static constexpr const char* kName = "source";
  Tensor tensor;
  bool operator==(const Source&) const = default;
};

}  // namespace attn
