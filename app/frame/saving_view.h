// Files that are written behind the window, as far as they are.
#pragma once

#include <cstddef>
#include <string>

namespace attn {

// A memo, set before each frame.
struct SavingView {
  std::string doing;  // empty: nothing is written
  double done = 0;    // 0 … 1
  double seconds_left = 0;

  std::size_t bytes() const { return doing.capacity(); }
};

}  // namespace attn
