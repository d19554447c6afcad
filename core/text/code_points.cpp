// Code points written as UTF-8, and the first of a text.
#include "core/text/code_points.h"

namespace attn {

std::string utf8_text(char32_t code) {
  const auto behind = [&](unsigned shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xc0 | (code >> 6)), behind(0)};
  if (code < 0x10000) return {static_cast<char>(0xe0 | (code >> 12)), behind(6), behind(0)};
  return {static_cast<char>(0xf0 | (code >> 18)), behind(12), behind(6), behind(0)};
}

std::string_view first_character(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) ++bytes;
  return text.substr(0, bytes);
}

}  // namespace attn
