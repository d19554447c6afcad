// CompareSpec: which layers are compared with the Pipeline's, and how their differences are shown. A plain
// value.
#pragma once

#include <cstddef>
#include <vector>

#include "core/operations/compared.h"

namespace attn {

// Its fields, and all that is said about them, are listed in fields.h.
struct CompareSpec {
  std::size_t shown = 0;  // which of the layers behind A is shown next to it; past the last: the last
  Compared::Figure figure = Compared::difference;
  bool same_colours = true;                    // A's and B's numbers in one range
  std::vector<std::size_t> by_reference = {};  // of them that the reference computes, ascending

  bool operator==(const CompareSpec& other) const;
};

}  // namespace attn
