// What of kernel regression is looked at. A part of the View.
#pragma once

#include <cstddef>
#include <optional>

namespace attn {

struct KernelsView {
  double q = 2.4;                            // the query; estimates are known at the nearest one
  std::size_t shown = 0;                     // the curve that weights are shown of
  std::size_t value = 0;                     // of points that have several: that is drawn
  std::optional<std::size_t> selected = {};  // row of the points
  bool truth = true, weights = true;         // drawn: the true curve; kernel, stems and shades
  bool operator==(const KernelsView&) const = default;
};

}  // namespace attn
