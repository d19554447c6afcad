// What the workspace of costs has computed on a device: nothing. Counts are made where they are shown.
#pragma once

#include "core/document/plan.h"

namespace attn {

// Steps and the formula alone, no stages. Throws Error as check_study does.
Built build_cost(const Document& document, Address = kLayerA);

// The places of its steps in Graph::steps.
enum class CostStep { count, measure, decode };

inline constexpr Plan kCostPlan{"cost", build_cost, nullptr};

}  // namespace attn
