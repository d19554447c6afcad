// CompareSpec: which layers stand beside the Pipeline's, and how their differences are shown. A plain value.
#pragma once

#include <cstddef>
#include <vector>

#include "core/operations/compared.h"

namespace attn {

// Layers beside A: B, C and D.
inline constexpr std::size_t kMostVariants = 3;

// Its fields, and all that is said about them, are listed in compare_fields.h.
struct CompareSpec {
  std::size_t variants = 0;  // that there are; with none, B is A as it is
  std::size_t shown = 0;     // which of them stands beside A; past the last: the last
  Compared::Figure figure = Compared::difference;
  bool same_colours = true;                    // A's and B's numbers in one range
  std::vector<std::size_t> by_reference = {};  // variants that the reference computes, ascending

  bool operator==(const CompareSpec& other) const;
};

}  // namespace attn
