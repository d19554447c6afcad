// What of the encodings is looked at. A part of the View.
#pragma once

#include <cstddef>

namespace attn {

struct PositionsView {
  std::size_t p = 17;  // the position, and how far the other one is
  std::ptrdiff_t delta = 5;
  std::size_t rows = 1;  // positions that there are
  double turned = 0;     // positions on the way to the next whole one
  enum Shown { weights, scores, difference, distance } shown = weights;  // in the scores
  bool operator==(const PositionsView&) const = default;
};

}  // namespace attn
