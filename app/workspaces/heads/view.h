// What of the heads is looked at, beside the head that is shown large in all workspaces. A part of the View.
#pragma once

#include <cstddef>

namespace attn {

struct HeadsView {
  std::size_t row = 0;  // of the large map, whose weights are listed
  bool operator==(const HeadsView&) const = default;
};

}  // namespace attn
