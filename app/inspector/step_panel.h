// The words of the present step, at the top of the inspector.
#pragma once

#include "app/inspector/inspector_flow.h"
#include "app/inspector/step_facts.h"

namespace attn::inspector {

// A sentence in a font, word by word, its facts in the colours of their roles; words of the glossary explain
// themselves. `lead` stands before it in bold.
void add_sentence(Flow& flow, const std::string& lead, const std::vector<ColouredText>& pieces, ImFont* font,
                  float inset = 0);

// What to look at in this step: the first NaN where there is one.
void add_what_to_look_at(Flow& flow, const Results& results, const StepWords& words, const StepLook& look);

// Title, what, why, what to look at with the row in small cells, where to read on, the mistake to try.
void draw_step_words(Flow& flow, const StepChip& chip, const StepLook& look);

}  // namespace attn::inspector
