// PNG pictures that carry the session they show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/io/text_source.h"
#include "core/text/bytes.h"

namespace attn {

struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;         // row after row from the top
  std::vector<std::uint8_t> alpha = {};  // of each pixel; empty: all are opaque
  bool operator==(const Picture&) const = default;
};

// The picture with `session` (JSON, UTF-8) in a compressed iTXt chunk "attention-lab session"; none when
// empty. Throws Error(Fault::output) for sides that PNG cannot have, and sessions of more than 2 GiB packed.
std::vector<std::byte> write_png(const Picture& picture, std::string_view session);

// A chunk of a PNG file, and the one that carries a session. Throws Error(Fault::output) for more than 2 GiB.
std::vector<std::byte> png_chunk(std::string_view type, Bytes data);
std::vector<std::byte> png_session_chunk(std::string_view session);

inline bool is_png(Bytes file) {
  return as_text(file).starts_with("\x89PNG\r\n\x1a\n");
}

// The session in a picture; the pixels are not looked at. Untrusted input: every length and checksum is
// checked, and the session is unpacked as it is read: how far that is, is told by the packed bytes, as
// nothing says what they unpack to. `file` outlives the source. Throws Error when there is none or it is
// damaged, the source too.
TextSource session_in_png(Bytes file, ProgressCallback progress = {});

}  // namespace attn
