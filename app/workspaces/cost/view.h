// What of the costs is looked at. A part of the View.
#pragma once

#include <cstddef>
#include <optional>

#include "core/graph/field_words.h"
#include "core/measure/kinds.h"

namespace attn {

// A number of a layer's cost: of a stage, or of attention as a whole, its operations or its bytes.
struct OpenedCost {
  MechanismKind mechanism = MechanismKind::full;
  std::optional<CostStage> stage = std::nullopt;
  bool held = false;
  bool operator==(const OpenedCost&) const = default;
};

struct CostView {
  OpenedCost opened = {.stage = CostStage::scores};  // in the inspector
  std::size_t longest = 8192;                        // n that is measured
  bool operator==(const CostView&) const = default;
};

// "flash scores", "full all" of attention as a whole, "full memory".
struct OpenedCostField {
  FieldText text;
};
void read_words(const OpenedCostField& field, const ValueWords& words, OpenedCost& value);
std::string words_of(const OpenedCostField& field, const OpenedCost& value);

template <class Visit>
void visit_fields(std::type_identity<CostView>, Visit&& visit) {
  static constexpr OpenedCostField kOpened{{.key = "opened"}};
  static constexpr CountField kLongest{{.key = "longest"}, 1};
  visit(kOpened, &CostView::opened);
  visit(kLongest, &CostView::longest);
}

}  // namespace attn
