// Three bytes are four letters of six bits; "=" fills the last four up.
#include "core/text/base64.h"

namespace attn {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool is_between_letters(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

std::string base64_of(Bytes bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kLetters[(three >> (18 - 6 * k)) & 63];
  }
  return text;
}

std::optional<std::vector<std::byte>> bytes_in_base64(std::string_view text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  std::size_t letters = 0, fills = 0;
  for (const char c : text) {
    if (is_between_letters(c)) continue;
    const std::size_t value = kLetters.find(c);
    if (c == '=' ? ++fills > 2 : value == kLetters.npos || fills > 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(c == '=' ? 0 : value);
    if (++letters % 4 != 0) continue;
    for (std::size_t k = 0; k < 3 - fills; ++k) bytes.push_back(static_cast<std::byte>(bits >> (16 - 8 * k)));
  }
  if (letters % 4 != 0) return std::nullopt;
  return bytes;
}

}  // namespace attn
