// Source: a matrix the user gave. It has no arithmetic; every chain of explanations ends in one.
#pragma once

#include "core/operations/traits.h"

namespace attn {

struct Source {
  static constexpr const char* kName = "source";
  Tensor tensor;
  bool operator==(const Source&) const = default;
};

Shape result_shape(const Source& op, Shapes inputs);
Explanation explain(const Source& op, Inputs inputs, Cell cell);
Regions reach(const Source& op, Shapes inputs, std::size_t input, Cell cell);
Traits traits(const Source& op, Shapes inputs, const Shape& result);

}  // namespace attn
