// What the workspace of training has computed of a document between edits: nothing. Runs are trained behind
// the results, and shown where they are.
#pragma once

#include "core/document/plan.h"

namespace attn {

// The steps of a step of training alone, no stages.
Built build_training_steps(const Document& document, Address = kLayerA);

inline constexpr Plan kTrainingPlan{"training", build_training_steps, nullptr};

}  // namespace attn
