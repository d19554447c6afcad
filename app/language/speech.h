// The language of the window: what is drawn is looked up where it is drawn, so that no panel knows of
// languages.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/language/phrase_book.h"

namespace attn {

// What a window says, in its language. Texts that were looked up are remembered: a frame draws the same
// thousands again.
class Speech {
 public:
  // Null: English, as it stands in the sources. The book has to outlive it.
  void use(const PhraseBook* book);
  // How often its language or the names have become others.
  std::size_t changes() const { return changes_; }
  // Valid until the next call.
  std::string_view of(std::string_view english);
  // It is in the language: a part of what was said, or all of it in lines.
  void know(std::string_view said);
  // From now on these are names, which stay as they are.
  void leave(TextSet names);
  // From now on the current Dear ImGui context says what is drawn in this language; until the context or this
  // is gone.
  void speak();

 private:
  const PhraseBook* book_ = nullptr;
  TextSet names_ = {};
  std::size_t changes_ = 0;
  std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> said_ = {};
};

// In the language of the current Dear ImGui context. What no book has is data, and said as it is: names,
// numbers, what is in the language already. The view is valid until the next call.
std::string_view spoken_view(std::string_view english);
std::string spoken(std::string_view english);
// A part of what was spoken, or all of it in lines, is not looked up again. Returns it.
std::string known(std::string said);
// Another number whenever the window speaks another language, or leaves other names.
std::size_t spoken_changes();

}  // namespace attn
