// Cubes: an operation as someone adds it, who knows the families and nothing else.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Y = X³. Any shape.
struct Cube {
  static constexpr const char* kName = "cube";
  bool operator==(const Cube&) const = default;
};

Shape result_shape(const Cube& op, Shapes inputs);
Explanation explain(const Cube& op, Inputs inputs, Cell cell);
Regions reach(const Cube& op, Shapes inputs, std::size_t input, Cell cell);
Traits traits(const Cube& op, Shapes inputs, const Shape& result);

}  // namespace attn
