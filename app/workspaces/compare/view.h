// What of two layers is looked at. A part of the View.
#pragma once

#include <map>
#include <string>

#include "core/graph/field_words.h"

namespace attn {

struct CompareView {
  bool controls_a = false;    // the controls are those of A, else of the compared layer
  bool equal_stages = false;  // open, each; else one line each
  std::size_t column = 2;     // of A, B and B − A the one shown where there is room for one alone
  std::map<std::string, bool> open = {};  // stages that a person opened, or closed, by the ids of their rows
  bool operator==(const CompareView&) const = default;
};

template <class Visit>
void visit_fields(std::type_identity<CompareView>, Visit&& visit) {
  static constexpr SwitchField kControlsA{{.key = "controls_a"}, {}, {}},
      kEqualStages{{.key = "equal_stages",
                    .title = "equal stages",
                    .sentence = "stages whose numbers are the same in both, open as well"},
                   {},
                   {}};
  visit(kControlsA, &CompareView::controls_a);
  visit(kEqualStages, &CompareView::equal_stages);
}

}  // namespace attn
