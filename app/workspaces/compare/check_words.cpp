// Sets of mistakes and their errors in words.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/compare/check_shown.h"

namespace attn {

const Tried* find_tried(const Diagnosis& found, std::span<const std::string> words) {
  if (words.empty()) return nullptr;
  for (const auto* sets : {&found.singles, &found.together})
    for (const Tried& tried : *sets)
      if (std::ranges::equal(tried.words, words)) return &tried;
  return nullptr;
}

std::string mistake_name(const std::string& word, const std::string& detail) {
  const Mistake* mistake = find_mistake(word);
  const std::string title = mistake ? std::string(mistake->title) : word;
  if (detail.empty()) return title;
  // "RoPE base" and "base 500,000" share a word.
  const std::string last = title.substr(title.rfind(' ') + 1) + " ";
  return detail.starts_with(last) ? title + " " + detail.substr(last.size()) : title + ", " + detail;
}

std::string set_name(const Tried& tried) {
  std::string name;
  for (std::size_t i = 0; i < tried.words.size(); ++i) {
    const bool last = i > 0 && i + 1 == tried.words.size();
    name += (i == 0 ? "" : last ? " and " : ", ") + mistake_name(tried.words[i], tried.details[i]);
  }
  return name;
}

bool has_mistake(const Tried& tried, std::string_view word) {
  return std::ranges::find(tried.words, word) != tried.words.end();
}

std::string error_text(double value) {
  if (!std::isfinite(value)) return inspector::write(value);
  if (value == 0) return "0";
  if (value < 1e-3 || value >= 1e4) return inspector::write(value, {0, true});
  return inspector::write(value, {value < 0.01  ? 4
                                  : value < 1   ? 3
                                  : value < 10  ? 2
                                  : value < 100 ? 1
                                                : 0,
                                  false});
}

}  // namespace attn
