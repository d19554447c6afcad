// Words that a person looks for.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// ASCII letters small, others as they are.
std::string small_letters(std::string_view text);

// Whether every word of `words` occurs in the text, whatever letters are capital. No word occurs everywhere.
bool holds_words(std::string_view text, std::string_view words);

}  // namespace attn
