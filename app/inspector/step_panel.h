// The words of the present step, at the top of the inspector.
#pragma once

#include "app/inspector/inspector_flow.h"
#include "app/inspector/step_facts.h"

namespace attn::inspector {

// Title, what, why, what to look at with the row in small cells, where to read on, the mistake to try.
void draw_step_words(Flow& flow, const StepChip& chip, const StepLook& look);

}  // namespace attn::inspector
