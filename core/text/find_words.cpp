// Each word is looked for anywhere in the text, inside of others too.
#include "core/text/find_words.h"

#include <algorithm>
#include <cctype>

namespace attn {

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

bool holds_words(std::string_view text, std::string_view words) {
  const std::string in = small_letters(text), wanted = small_letters(words);
  for (std::size_t begin = 0; begin < wanted.size();) {
    const std::size_t end = std::min(wanted.find(' ', begin), wanted.size());
    if (in.find(wanted.substr(begin, end - begin)) == std::string::npos) return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace attn
