// Pictures are decoded by libpng, which knows nothing of sessions, and sessions come back byte for byte; a
// picture cut anywhere, flipped or packed to burst is refused.
#include "core/io/png.h"

#include <doctest/doctest.h>
#include <png.h>
#include <zlib.h>

#include "core/io/json.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

Picture gradient(std::size_t width, std::size_t height) {
  Picture picture{width, height, {}};
  for (std::size_t i = 0; i < width * height * 3; ++i)
    picture.rgb.push_back(static_cast<std::uint8_t>(i * 7));
  return picture;
}

// By libpng, which knows nothing of us.
Picture decoded(Bytes file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, file.data(), file.size()));
  image.format = PNG_FORMAT_RGB;
  Picture picture{image.width, image.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  REQUIRE(png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr));
  return picture;
}

std::vector<std::byte> chunk(std::string_view type, Bytes data) {
  std::vector<std::byte> body, whole;
  append(body, type);
  append(body, data);
  append_big(whole, static_cast<std::uint32_t>(data.size()));
  append(whole, body);
  append_big(whole, static_cast<std::uint32_t>(
                        crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size())));
  return whole;
}

// A file with one iTXt chunk of this data, and no picture.
std::vector<std::byte> file_with_text(Bytes data) {
  std::vector<std::byte> file;
  append(file, "\x89PNG\r\n\x1a\n");
  append(file, chunk("iTXt", data));
  append(file, chunk("IEND", {}));
  return file;
}

std::vector<std::byte> text_data(std::string_view head, Bytes content) {
  std::vector<std::byte> data;
  append(data, head);
  append(data, content);
  return data;
}

constexpr std::string_view kPlain("attention-lab session\0\0\0\0\0", 26);
constexpr std::string_view kPacked("attention-lab session\0\1\0\0\0", 26);

std::string session_of(Bytes file) {
  return tests::all_of(session_in_png(file));
}

std::string complaint(Bytes file) {
  try {
    session_of(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

std::vector<std::byte> deflated_bytes(Bytes bytes) {
  std::vector<std::byte> packed(compressBound(bytes.size()));
  uLongf size = packed.size();
  REQUIRE(compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                   reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) == Z_OK);
  packed.resize(size);
  return packed;
}

}  // namespace

TEST_CASE("a picture comes back from libpng as it was written, with and without a session") {
  const Picture picture = gradient(37, 11);
  CHECK(decoded(write_png(picture, "")) == picture);
  CHECK(decoded(write_png(picture, "{\"a\": 1}")) == picture);
}

TEST_CASE("the session in a picture comes back byte for byte") {
  Document document;
  document.layer().x = Tensor({1, 2, 2}, {0.1f, -0.0f, 1e-40f, 3});
  document.layer().tokens = {"naïve", "→"};
  const std::string session = write_session(document);
  const std::vector<std::byte> file = write_png(gradient(3, 2), session);
  CHECK(is_png(file));
  CHECK(session_of(file) == session);
  CHECK(read_session(session_in_png(file)) == document);
}

TEST_CASE("a session that is not compressed is read too") {
  CHECK(session_of(file_with_text(text_data(kPlain, std::as_bytes(std::span("{}", 2))))) == "{}");
}

TEST_CASE("a picture that says it is huge is read for little, as nobody looks at its pixels") {
  std::vector<std::byte> header;
  append_big(header, std::uint32_t{0x7fffffff});  // width and height: 12 EiB of pixels
  append_big(header, std::uint32_t{0x7fffffff});
  append(header, std::string_view("\x08\x02\0\0\0", 5));
  std::vector<std::byte> file;
  append(file, "\x89PNG\r\n\x1a\n");
  append(file, chunk("IHDR", header));
  append(file, chunk("zTXt", deflated_bytes(std::vector<std::byte>(std::size_t{1} << 26))));
  append(file, chunk("iTXt", text_data(kPlain, std::as_bytes(std::span("{}", 2)))));
  append(file, chunk("IEND", {}));
  std::string session;
  const auto peak = peak_of([&] { session = session_of(file); });
  CHECK(session == "{}");
  if (peak) CHECK(*peak < std::size_t{1} << 20);
}

TEST_CASE("a picture of another program says that it carries no session") {
  CHECK(complaint(write_png(gradient(2, 2), "")).find("carries no session") != std::string::npos);
}

TEST_CASE("a picture cut anywhere is refused, never read past its end") {
  const std::vector<std::byte> file = write_png(gradient(5, 5), "{\"some\": \"session\"}");
  for (std::size_t size = 8; size < file.size(); ++size) {
    CAPTURE(size);
    const std::string words = complaint(Bytes(file).first(size));
    const bool whole = words == "no complaint";  // only the end chunk, after the session, is missing
    CHECK(whole == (size >= file.size() - 12));
  }
}

TEST_CASE("a flipped bit in the session is found") {
  const std::vector<std::byte> good = write_png(gradient(2, 2), "{\"some\": \"session\"}");
  const std::size_t session = good.size() - 12 - 4 - 10;  // inside the chunk before the end
  std::vector<std::byte> bad = good;
  bad[session] ^= std::byte{4};
  CHECK(complaint(bad).find("checksum") != std::string::npos);
}

TEST_CASE("damaged compressed data is refused") {
  std::vector<std::byte> packed = deflated_bytes(std::as_bytes(std::span("{\"some\": \"session\"}")));
  packed.resize(packed.size() / 2);
  CHECK(complaint(file_with_text(text_data(kPacked, packed))).find("damaged") != std::string::npos);
  CHECK(complaint(file_with_text(text_data(kPacked, {}))).find("damaged") != std::string::npos);
  CHECK(complaint(file_with_text(text_data(kPacked.substr(0, 23), {}))).find("damaged") != std::string::npos);
}

}  // namespace attn::tests
