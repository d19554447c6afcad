// Names, meanings and layouts, taken apart and together again.
#include "core/io/name_choice.h"

#include <string_view>

namespace attn {
namespace {

constexpr std::string_view kTransposed = ".T";

}  // namespace

NameChoice name_choice(const std::string& words) {
  const std::size_t equals = words.rfind('=');
  NameChoice choice{.name = words.substr(0, equals)};
  if (equals == words.npos) return choice;
  choice.meaning = words.substr(equals + 1);
  if (const std::size_t colon = choice.meaning.find(':'); colon != choice.meaning.npos) {
    choice.layout = choice.meaning.substr(colon + 1);
    choice.meaning.resize(colon);
  }
  choice.transposed = choice.meaning.ends_with(kTransposed);
  if (choice.transposed) choice.meaning.resize(choice.meaning.size() - kTransposed.size());
  return choice;
}

std::string name_words(const NameChoice& choice) {
  return choice.name + "=" + choice.meaning + (choice.transposed ? std::string(kTransposed) : "") +
         (choice.layout.empty() ? "" : ":" + choice.layout);
}

}  // namespace attn
