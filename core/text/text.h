// Small helpers for messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// The candidate with the smallest edit distance to `word`, if it is near enough to be what was meant; else
// empty.
std::string nearest_word(std::string_view word, std::span<const std::string> candidates);

// "a, b or c".
std::string listed(std::span<const std::string> words);

// The parts between separators; one part when there is none.
std::vector<std::string> split(std::string_view text, char separator);

// The shortest decimal that reads back as the same number; "nan", "inf", "-inf" for special ones.
std::string shortest(float value);
std::string shortest(double value);

// For reading: as a float has it, 2/3 as 0.6666667, unless it is beyond what floats hold.
std::string brief(double value);

// "310 MiB", "5.2 GiB": three digits at most.
std::string bytes_text(std::uint64_t bytes);

// The code point at the start of a text that is not empty. A byte that begins no whole UTF-8 character stands
// for itself and is not valid.
struct CodePoint {
  char32_t value;
  std::size_t bytes;
  bool valid = true;
};
CodePoint first_code_point(std::string_view text);

// Neither invalid nor what a terminal would obey: control characters, ends of lines among them, and those
// that turn the direction of writing.
bool is_printable(CodePoint c);

// What is not printable as \x1b or \u202e: names of files and arrays come from anywhere.
std::string printable(std::string_view text);

// The text with U+FFFD in the place of every byte that belongs to no character.
std::string valid_utf8(std::string_view text);

}  // namespace attn
