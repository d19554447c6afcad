// Words that explain themselves where they stand, from assets/words/glossary.md: dotted underneath, with a
// card under the pointer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/theme/theme.h"

namespace attn {

struct GlossaryEntry {
  std::string word, says;
};
// As embedded, read once; longer words first.
const std::vector<GlossaryEntry>& glossary();

// Where a text holds a word of the glossary, as a word of its own, in any case.
struct FoundWord {
  std::size_t begin = 0, end = 0;  // bytes
  const GlossaryEntry* entry = nullptr;
};
std::vector<FoundWord> glossary_words(std::string_view text);

// Underlines them in one line of text that was drawn at `at`, and shows the card of the one under the
// pointer.
void explain_words(ImDrawList& list, const Theme& theme, const ImFont* font, ImVec2 at,
                   std::string_view line);

}  // namespace attn
