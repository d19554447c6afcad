// A formula's spans side by side; one is lit when any of its stages belongs to the current step.
#include "app/widgets/formula.h"

#include <algorithm>

#include "app/widgets/words.h"

namespace attn {

float draw_formula(ImDrawList& list, const Theme& theme, ImVec2 position,
                   const std::vector<FormulaSpan>& formula, const std::vector<StageIndex>& stages) {
  float x = position.x;
  for (const FormulaSpan& span : formula) {
    const bool lit = std::ranges::any_of(
        span.stages, [&](StageIndex stage) { return std::ranges::count(stages, stage) > 0; });
    const ImFont* font = lit ? theme.fonts.bold : theme.fonts.body;
    draw_text(list, font, {x, position.y}, lit ? theme.text : theme.faint, span.text);
    x += text_width(font, span.text) + theme.px(4);
  }
  return x - position.x;
}

}  // namespace attn
