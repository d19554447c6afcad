// What of two layers is looked at. A part of the View.
#pragma once

#include "core/graph/field_words.h"

namespace attn {

struct CompareView {
  bool controls_a = false;  // the controls are those of A, else of the layer beside it
  bool operator==(const CompareView&) const = default;
};

template <class Visit>
void visit_fields(std::type_identity<CompareView>, Visit&& visit) {
  static constexpr SwitchField kControlsA{{.key = "controls_a"}, {}, {}};
  visit(kControlsA, &CompareView::controls_a);
}

}  // namespace attn
