// Pictures that carry a session: as they are, and as the text of a picture whose checksums are right, which
// no chance would make.
#include "core/document/document.h"
#include "core/io/png.h"
#include "core/io/session.h"
#include "core/io/svg.h"
#include "core/text/base64.h"
#include "tests/fuzz/fuzz.h"

namespace {

std::vector<std::byte> picture_with_text(attn::Bytes text) {
  std::vector<std::byte> body, file;
  attn::append(body, std::string_view("iTXtattention-lab session\0", 26));
  attn::append(body, text);
  attn::append(file, std::string_view("\x89PNG\r\n\x1a\n"));
  attn::append_big(file, static_cast<std::uint32_t>(body.size() - 4));
  attn::append(file, body);
  attn::append_big(file, attn::crc32_of(body));
  return file;
}

// What is packed, as the text of an SVG.
std::vector<std::byte> svg_with_text(attn::Bytes text) {
  std::vector<std::byte> file;
  attn::append(file, "<svg><metadata><al:session xmlns:al=\"urn:attention-lab:session\">");
  attn::append(file, attn::base64_of(text));
  attn::append(file, "</al:session></metadata></svg>");
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  tests::refused_or_parsed(data, size,
                           [](Bytes bytes) { read_session(session_in_png(picture_with_text(bytes))); });
  tests::refused_or_parsed(data, size,
                           [](Bytes bytes) { read_session(session_in_svg(svg_with_text(bytes))); });
  tests::refused_or_parsed(data, size, [](Bytes bytes) { read_session(session_in_svg(bytes)); });
  return tests::refused_or_parsed(data, size, [](Bytes bytes) { read_session(session_in_png(bytes)); });
}
