// What of kernel regression is looked at. A part of the View.
#pragma once

#include <cstddef>
#include <optional>

#include "core/graph/field_words.h"

namespace attn {

struct KernelsView {
  double q = 2.4;                            // the query; estimates are known at the nearest one
  std::size_t shown = 0;                     // the curve that weights are shown of
  std::size_t value = 0;                     // of points that have several: that is drawn
  std::optional<std::size_t> selected = {};  // row of the points
  bool truth = true, weights = true;         // drawn: the true curve; kernel, stems and shades
  bool operator==(const KernelsView&) const = default;
};

template <class Visit>
void visit_fields(std::type_identity<KernelsView>, Visit&& visit) {
  static constexpr NumberField kQ{{.key = "q"}};
  static constexpr CountField kShown{{.key = "shown"}}, kValue{{.key = "value"}},
      kSelected{{.key = "selected"}};
  static constexpr SwitchField kTruth{{.key = "truth_drawn"}, {}, {}},
      kWeights{{.key = "weights_drawn"}, {}, {}};
  visit(kQ, &KernelsView::q);
  visit(kShown, &KernelsView::shown);
  visit(kValue, &KernelsView::value);
  visit(kSelected, &KernelsView::selected);
  visit(kTruth, &KernelsView::truth);
  visit(kWeights, &KernelsView::weights);
}

}  // namespace attn
