// Checksums by zlib, and names from files made safe for messages: what a terminal would obey is escaped, what
// is long is cut between two characters.
#include "core/text/bytes.h"

#include <zlib.h>

#include <algorithm>

#include "core/text/text.h"

namespace attn {

std::uint32_t crc32_of(Bytes bytes, std::uint32_t so_far) {
  if (bytes.empty()) return so_far;  // of no place at all zlib would begin anew
  return static_cast<std::uint32_t>(
      crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::size_t end = std::min(text.size(), kLongest);
  // Never inside a UTF-8 character.
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return "\"" + printable(text.substr(0, end)) + (end < text.size() ? "…\"" : "\"");
}

}  // namespace attn
