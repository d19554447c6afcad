// The session is an iTXt chunk (https://www.w3.org/TR/png/#11iTXt) before the last one of what libpng wrote.
// Reading walks the chunks itself and checks their sums, so that no pixel of a hostile picture is decoded.
#include "core/io/png.h"

#include <png.h>
#include <zlib.h>

#include <memory>

#include "core/document/limits.h"
#include "core/io/inflate.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

constexpr std::string_view kKeyword = "attention-lab session";
constexpr std::size_t kSignature = 8;      // bytes before the first chunk
constexpr std::size_t kFrame = 12;         // a chunk's length, type and checksum
constexpr std::size_t kEndChunk = kFrame;  // the IEND chunk is empty
constexpr std::size_t kLargestChunk = 0x7fffffff;

// What follows the keyword's zero: compressed, by zlib's method; no language tag, no translated keyword.
constexpr std::string_view kCompressed("\1\0\0\0", 4);

// The picture alone, by libpng's simplified interface, which reports errors without longjmp.
std::vector<std::byte> encode(const Picture& picture) {
  assert(picture.rgb.size() == picture.width * picture.height * 3);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  std::vector<std::byte> bytes(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = bytes.size();
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgb.data(), 0, nullptr))
    throw Error(std::string("the picture could not be made: ") + image.message, Fault::output);
  bytes.resize(size);
  return bytes;
}

std::vector<std::byte> session_chunk(std::string_view session) {
  std::vector<std::byte> body;
  append(body, "iTXt");
  append(body, kKeyword);
  body.push_back(std::byte{0});
  append(body, kCompressed);
  const std::size_t head = body.size();
  uLongf size = compressBound(session.size());
  body.resize(head + size);
  const int status = compress2(reinterpret_cast<Bytef*>(body.data() + head), &size,
                               reinterpret_cast<const Bytef*>(session.data()), session.size(), Z_BEST_SPEED);
  if (status != Z_OK)
    throw Error("there is not enough memory to pack the session into the picture", Fault::output);
  body.resize(head + size);
  if (body.size() - 4 > kLargestChunk)
    throw Error("the session is too large for a picture: save it as a file", Fault::output);
  std::vector<std::byte> chunk;
  // The length is of the data alone, the checksum of type and data.
  append_big(chunk, static_cast<std::uint32_t>(body.size() - 4));
  append(chunk, body);
  append_big(chunk, crc32_of(body));
  return chunk;
}

// Unpacked while it is read: what a small picture says may be large.
TextSource inflated_text(Bytes data, ProgressCallback progress) {
  struct Unpacking {
    explicit Unpacking(Bytes packed) : inflater(packed, Inflater::Wrap::zlib) {}
    Inflater inflater;
    std::vector<std::byte> window = std::vector<std::byte>(kTextPiece);
    std::size_t size = 0;
  };
  return [unpacking = std::make_shared<Unpacking>(data), progress = std::move(progress)] {
    go_on(progress, unpacking->inflater.done());
    const std::size_t size = unpacking->inflater.read(unpacking->window);
    unpacking->size += size;
    if (unpacking->size > kMostFileBytes) throw Error("its session is too large");
    if (size == 0 && !unpacking->inflater.finished()) throw Error("its session is damaged");
    return as_text(Bytes(unpacking->window).first(size));
  };
}

// The text of an iTXt chunk's data after the keyword's zero: flag, method, language, translated keyword.
TextSource international_text(Bytes data, ProgressCallback progress) {
  const std::string_view text = as_text(data);
  const std::size_t language = text.size() < 2 ? text.npos : text.find('\0', 2);
  const std::size_t keyword = language == text.npos ? text.npos : text.find('\0', language + 1);
  if (keyword == text.npos || text[1] != 0) throw Error("its session is damaged");
  const Bytes content = data.subspan(keyword + 1);
  return text[0] == 0 ? source_of(as_text(content), std::move(progress))
                      : inflated_text(content, std::move(progress));
}

}  // namespace

std::vector<std::byte> write_png(const Picture& picture, std::string_view session) {
  std::vector<std::byte> bytes = encode(picture);
  if (session.empty()) return bytes;
  const std::vector<std::byte> chunk = session_chunk(session);
  bytes.insert(bytes.end() - kEndChunk, chunk.begin(), chunk.end());
  return bytes;
}

TextSource session_in_png(Bytes file, ProgressCallback progress) {
  const std::string wanted = std::string(kKeyword) + '\0';
  std::size_t at = kSignature;
  while (file.size() >= at + kFrame) {
    const std::size_t length = load_big<std::uint32_t>(file, at);
    if (length > file.size() - at - kFrame) break;
    const Bytes body = file.subspan(at + 4, 4 + length);
    if (crc32_of(body) != load_big<std::uint32_t>(file, at + 8 + length))
      throw Error("the checksum of the chunk at byte " + std::to_string(at) +
                  " is wrong: the picture is damaged");
    const std::string_view type = as_text(body).substr(0, 4), data = as_text(body).substr(4);
    if (type == "iTXt" && data.starts_with(wanted))
      return international_text(body.subspan(4 + wanted.size()), std::move(progress));
    if (type == "IEND")
      throw Error("this picture carries no session; only pictures saved by Attention Lab do (F12, render)");
    at += kFrame + length;
  }
  throw Error("the picture is cut short: its chunk at byte " + std::to_string(at) + " has no end");
}

}  // namespace attn
