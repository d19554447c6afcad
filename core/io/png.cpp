// The session is an iTXt chunk (https://www.w3.org/TR/png/#11iTXt) before the last one of what libpng wrote.
// Reading walks the chunks itself and checks their sums, so that no pixel of a hostile picture is decoded.
#include "core/io/png.h"

#include <png.h>

#include "core/io/packed_text.h"
#include "core/system/error.h"

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
  const std::size_t pixels = picture.width * picture.height;
  assert(picture.rgb.size() == pixels * 3);
  assert(picture.alpha.empty() || picture.alpha.size() == pixels);
  std::vector<std::uint8_t> rgba;
  rgba.reserve(picture.alpha.size() * 4);
  for (std::size_t i = 0; i < picture.alpha.size(); ++i) {
    rgba.insert(rgba.end(), picture.rgb.data() + 3 * i, picture.rgb.data() + 3 * i + 3);
    rgba.push_back(picture.alpha[i]);
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = rgba.empty() ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  std::vector<std::byte> bytes(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = bytes.size();
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0,
                                 rgba.empty() ? picture.rgb.data() : rgba.data(), 0, nullptr))
    throw Error(std::string("the picture could not be made: ") + image.message, Fault::output);
  bytes.resize(size);
  return bytes;
}

// The text of an iTXt chunk's data after the keyword's zero: flag, method, language, translated keyword.
TextSource international_text(Bytes data, ProgressCallback progress) {
  const std::string_view text = as_text(data);
  const std::size_t language = text.size() < 2 ? text.npos : text.find('\0', 2);
  const std::size_t keyword = language == text.npos ? text.npos : text.find('\0', language + 1);
  if (keyword == text.npos || text[1] != 0) throw Error("its session is damaged");
  const Bytes content = data.subspan(keyword + 1);
  return text[0] == 0 ? source_of(as_text(content), std::move(progress))
                      : unpacked_text(content, std::move(progress));
}

}  // namespace

std::vector<std::byte> write_png(const Picture& picture, std::string_view session) {
  std::vector<std::byte> bytes = encode(picture);
  if (session.empty()) return bytes;
  const std::vector<std::byte> chunk = png_session_chunk(session);
  bytes.insert(bytes.end() - kEndChunk, chunk.begin(), chunk.end());
  return bytes;
}

std::vector<std::byte> png_chunk(std::string_view type, Bytes data) {
  if (data.size() > kLargestChunk)
    throw Error("the session is too large for a picture: save it as a file", Fault::output);
  std::vector<std::byte> body, chunk;
  append(body, type);
  append(body, data);
  // The length is of the data alone, the checksum of type and data.
  append_big(chunk, static_cast<std::uint32_t>(data.size()));
  append(chunk, body);
  append_big(chunk, crc32_of(body));
  return chunk;
}

std::vector<std::byte> png_session_chunk(std::string_view session) {
  std::vector<std::byte> data;
  append(data, kKeyword);
  data.push_back(std::byte{0});
  append(data, kCompressed);
  append(data, packed_text(session));
  return png_chunk("iTXt", data);
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
