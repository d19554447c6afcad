// Nearness of words is Levenshtein's distance between them in small letters; the shortest decimal is
// std::to_chars' without a precision; UTF-8 as in RFC 3629.
#include "core/text/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

namespace attn {
namespace {

// Levenshtein distance, one row of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// ASCII's and Latin 1's control characters; marks, embeddings and isolates that turn the direction; ends of
// lines and paragraphs.
bool obeyed(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

std::string in_small_letters(std::string_view word) {
  std::string small(word);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

template <class Number>
std::string shortest_decimal(Number value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[32];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return status == std::errc() ? std::string(buffer, end) : std::string();
}

}  // namespace

std::string nearest_word(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  // Half the letters may be wrong, two of a short word, but never all: what is farther off was meant
  // otherwise.
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(in_small_letters(word), in_small_letters(candidate));
    if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string shortest(float value) {
  return shortest_decimal(value);
}

std::string shortest(double value) {
  return shortest_decimal(value);
}

std::string brief(double value) {
  const auto rounded = static_cast<float>(value);
  const bool lost = std::isfinite(value) && (std::isinf(rounded) || (rounded == 0 && value != 0));
  return lost ? shortest(value) : shortest(rounded);
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  auto size = static_cast<double>(bytes);
  for (; size >= 999.5 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
  char buffer[32];
  const int decimals = unit > 0 && size < 9.95 ? 1 : 0;
  const auto [end, status] =
      std::to_chars(buffer, buffer + sizeof buffer, size, std::chars_format::fixed, decimals);
  return std::string(buffer, end) + " " + kUnits[unit];
}

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const CodePoint stray{first, 1, false};
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return stray;
  char32_t value = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return stray;
    value = (value << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};  // shorter forms are no UTF-8
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  return value < kLeast[length] || value > 0x10FFFF || surrogate ? stray : CodePoint{value, length};
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    valid += c.valid ? text.substr(0, c.bytes) : "\uFFFD";
    text.remove_prefix(c.bytes);
  }
  return valid;
}

bool is_printable(CodePoint c) {
  return c.valid && !obeyed(c.value);
}

std::string printable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (is_printable(c)) {
      result += text.substr(0, c.bytes);
    } else {
      const bool one = c.value < 0x80 || !c.valid;
      result += one ? "\\x" : "\\u";
      for (int shift = one ? 4 : 12; shift >= 0; shift -= 4) result += kDigits[(c.value >> shift) & 15];
    }
    text.remove_prefix(c.bytes);
  }
  return result;
}

std::string listed(std::span<const std::string> words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
  return list;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace attn
