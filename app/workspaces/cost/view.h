// What of the costs is looked at. A part of the View.
#pragma once

#include <cstddef>
#include <optional>

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

}  // namespace attn
