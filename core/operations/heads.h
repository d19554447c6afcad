// Merging heads.
#pragma once

#include <vector>

#include "core/explain.h"

namespace attn {

// Heads side by side: h×n×c to 1×n×(h·c); head r fills columns r·c … (r+1)·c. A muted head contributes zeros.
struct Concat {
  static constexpr const char* kName = "concat";
  std::vector<std::size_t> muted;  // ascending
  bool operator==(const Concat&) const = default;

  bool mutes(std::size_t head) const;
};

Shape result_shape(const Concat& op, Shapes inputs);
Explanation explain(const Concat& op, Inputs inputs, Cell cell);
Regions reach(const Concat& op, Shapes inputs, std::size_t input, Cell cell);

}  // namespace attn
