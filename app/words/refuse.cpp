// The message about a refused word names the nearest one that would do, except where the word itself is right
// and only what stands behind it is not.
#include "app/words/refuse.h"

#include <filesystem>

#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {

void refuse(std::string_view option, std::string_view word, std::string_view takes,
            std::span<const std::string> words) {
  const std::string_view head = word.substr(0, word.find(':'));  // what stands behind it is its settings
  std::string nearest = nearest_word(word, words);
  if (nearest.empty()) nearest = nearest_word(head, words);
  if (nearest == word || nearest == head) nearest.clear();  // right as far as it goes
  throw Error(std::string(option) + ": cannot use \"" + std::string(word) + "\"" +
                  (nearest.empty() ? "; it" : "; did you mean \"" + nearest + "\"? It") + " takes " +
                  std::string(takes),
              Fault::option);
}

void check_output(const std::string& output, std::initializer_list<std::string> inputs) {
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(input, ignored) &&
        std::filesystem::equivalent(output, input, ignored))
      throw Error("-o " + output + " would overwrite " + input + ", which is an input: choose another name",
                  Fault::option);
  }
}

}  // namespace attn
