// The formula of what is shown, span by span, with the spans of the current step lit.
#pragma once

#include <vector>

#include "app/theme/theme.h"

namespace attn {

// Lights the spans of `stages`. Returns the width in pixels.
float draw_formula(ImDrawList& list, const Theme& theme, ImVec2 position,
                   const std::vector<FormulaSpan>& formula, const std::vector<StageIndex>& stages);

}  // namespace attn
