// Small helpers for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attn {

// The candidate with the smallest edit distance to `word`, if it is near enough to be what was meant; else
// empty.
std::string nearest_word(std::string_view word, std::span<const std::string> candidates);

// The shortest decimal that reads back as the same number; "nan", "inf", "-inf" for special ones.
std::string shortest(float value);
std::string shortest(double value);

// For reading: as a float has it, 2/3 as 0.6666667, unless it is beyond what floats hold.
std::string brief(double value);

}  // namespace attn
