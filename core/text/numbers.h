// Numbers as a person spells them: the whole text, no locale, a leading + or U+2212 minus allowed.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

// Nothing when `text` is not wholly a number of that type ("1,5", "3x", "", "-1" for an unsigned one).
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  constexpr std::string_view kMinus = "\u2212";
  std::string plain(text);
  if (plain.starts_with(kMinus)) {
    plain.replace(0, kMinus.size(), "-");
  } else if (plain.starts_with('+')) {
    plain.erase(0, 1);
    if (plain.starts_with('-')) return std::nullopt;
  }
  Number value{};
  const char* const end = plain.data() + plain.size();
  const auto [stop, status] = std::from_chars(plain.data(), end, value);
  if (status != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace attn
