// Small helpers for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attn {

// The candidate with the smallest edit distance to `word`, if it is near enough to be what was meant; else
// empty.
std::string nearest_word(std::string_view word, std::span<const std::string> candidates);

// The shortest decimal that reads back as the same float; "nan", "inf", "-inf" for special numbers.
std::string shortest(float value);

// The text with U+FFFD in the place of every byte that belongs to no character.
std::string valid_utf8(std::string_view text);

}  // namespace attn
