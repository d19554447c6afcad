// Words that explain themselves where they stand, from assets/words/glossary.md: dotted underneath, with a
// card while the pointer or the focus rests on them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

struct GlossaryEntry {
  std::string word, says;
  std::string
      heading;  // all forms of the word, in English, as they stand there: "collapsed row, collapsed rows"
  std::string title;  // the first form
};
using Glossary = std::vector<GlossaryEntry>;
// In the window's language; longer words first.
Glossary read_glossary();

// Where a text holds a word of the glossary, as a word of its own, in any case.
struct FoundWord {
  std::size_t begin = 0, end = 0;  // bytes
  const GlossaryEntry* entry = nullptr;
};
std::vector<FoundWord> glossary_words(const Glossary& glossary, std::string_view text);

// Underlines them in one line of text that was drawn at `at`, makes stops of Tab of them, and shows the card
// of the one that the pointer or the focus has rested on for long enough. Whether one was pressed.
bool explain_words(Frame& frame, ImDrawList& list, const ImFont* font, ImVec2 at, std::string_view line);
// A card is due: a frame has to come for it.
bool card_due(const View& view);

}  // namespace attn
