// Texts side by side, in the order of the file.
#include "app/cli/translation_check.h"

#include <algorithm>
#include <string_view>

#include "core/language/phrase_book.h"
#include "core/lesson/change_words.h"

namespace attn {
namespace {

std::vector<std::string> texts_of(Lesson lesson) {
  std::vector<std::string> texts;
  change_words(lesson, [&](const std::string& text) { return texts.emplace_back(text); });
  return texts;
}

// "{sum(weights[0,0]):4}", "①", sorted.
std::vector<std::string> held_by(const std::string& text) {
  constexpr std::string_view kMarks = "\xe2\x91";  // how ① to ⑨ begin
  std::vector<std::string> held;
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1))
    held.push_back(text.substr(open, text.find('}', open) - open));
  for (std::size_t at = text.find(kMarks); at != text.npos; at = text.find(kMarks, at + 1))
    held.push_back(text.substr(at, 3));
  std::ranges::sort(held);
  return held;
}

}  // namespace

std::vector<std::string> check_translation(const Lesson& english, const Lesson& translated) {
  const std::vector<std::string> texts = texts_of(english), others = texts_of(translated);
  std::vector<std::string> faults;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (others[i] == missing(texts[i]))
      faults.push_back("not translated: " + texts[i]);
    else if (held_by(texts[i]) != held_by(others[i]))
      faults.push_back("other numbers or marks than in English: " + others[i]);
  }
  return faults;
}

}  // namespace attn
