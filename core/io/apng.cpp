// https://www.w3.org/TR/png-3/#apng-chunks: an acTL chunk counts the pictures, an fcTL chunk says where and
// how long each is shown, and one counter runs through fcTL and fdAT. Pictures are packed by libpng, which
// knows nothing of animations, each as a file, whose data go into chunks of ours.
#include "core/io/apng.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace attn {
namespace {

constexpr std::size_t kSignature = 8, kChunkFrame = 12;

struct PngChunk {
  std::string_view type;
  Bytes data, whole;
};

// Of a file that was just written.
std::vector<PngChunk> chunks_of(Bytes file) {
  std::vector<PngChunk> chunks;
  for (std::size_t at = kSignature; at < file.size();) {
    const std::size_t length = load_big<std::uint32_t>(file, at);
    chunks.push_back({as_text(file.subspan(at + 4, 4)), file.subspan(at + 8, length),
                      file.subspan(at, length + kChunkFrame)});
    at += length + kChunkFrame;
  }
  return chunks;
}

struct Piece {
  std::size_t x = 0, y = 0, width = 1, height = 1;
};

// What differs; of equal pictures a pixel.
Piece difference(const Picture& a, const Picture& b) {
  std::size_t left = a.width, right = 0, top = a.height, bottom = 0;
  for (std::size_t y = 0; y < a.height; ++y)
    for (std::size_t x = 0; x < a.width; ++x) {
      const std::size_t at = 3 * (y * a.width + x);
      if (std::equal(a.rgb.data() + at, a.rgb.data() + at + 3, b.rgb.data() + at)) continue;
      left = std::min(left, x), right = std::max(right, x + 1);
      top = std::min(top, y), bottom = std::max(bottom, y + 1);
    }
  if (right == 0) return {};
  return {left, top, right - left, bottom - top};
}

Picture part_of(const Picture& picture, const Piece& piece) {
  Picture part{piece.width, piece.height, {}};
  for (std::size_t y = piece.y; y < piece.y + piece.height; ++y) {
    const auto row = picture.rgb.begin() + static_cast<std::ptrdiff_t>(3 * (y * picture.width + piece.x));
    part.rgb.insert(part.rgb.end(), row, row + static_cast<std::ptrdiff_t>(3 * piece.width));
  }
  return part;
}

}  // namespace

void ApngWriter::add_control(std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
  std::vector<std::byte> data;
  append_big(data, sequence_++);
  for (const std::size_t number : {width, height, x, y}) append_big(data, static_cast<std::uint32_t>(number));
  append_big(data, milliseconds_);
  append_big(data, std::uint16_t{1000});
  append_big(data, std::uint16_t{0});  // it stays, and what comes next replaces pixels
  append(body_, png_chunk("fcTL", data));
}

void ApngWriter::add(const Picture& picture) {
  assert(picture.alpha.empty());
  assert(count_ == 0 || (picture.width == last_.width && picture.height == last_.height));
  const bool first = count_++ == 0;
  const Piece piece = first ? Piece{0, 0, picture.width, picture.height} : difference(last_, picture);
  const std::vector<std::byte> file = write_png(part_of(picture, piece), "");
  if (first) head_.assign(file.begin(), file.begin() + kSignature);
  bool controlled = false;
  for (const PngChunk& chunk : chunks_of(file)) {
    const bool data = chunk.type == "IDAT";
    if (data && !std::exchange(controlled, true)) add_control(piece.x, piece.y, piece.width, piece.height);
    if (first && !data && chunk.type != "IEND") append(head_, chunk.whole);
    if (first && data) append(body_, chunk.whole);
    if (first || !data) continue;
    std::vector<std::byte> numbered;
    append_big(numbered, sequence_++);
    append(numbered, chunk.data);
    append(body_, png_chunk("fdAT", numbered));
  }
  last_ = picture;
}

std::vector<std::byte> ApngWriter::take(std::string_view session) {
  assert(count_ > 0);
  std::vector<std::byte> file = std::move(head_), control;
  append_big(control, count_);
  append_big(control, std::uint32_t{0});  // for ever
  append(file, png_chunk("acTL", control));
  append(file, body_);
  if (!session.empty()) append(file, png_session_chunk(session));
  append(file, png_chunk("IEND", {}));
  return file;
}

}  // namespace attn
