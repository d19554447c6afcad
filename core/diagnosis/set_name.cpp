// Titles with the details of each way in which a mistake is made.
#include "core/diagnosis/set_name.h"

namespace attn {

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

}  // namespace attn
