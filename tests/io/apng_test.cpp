// Animated PNG: chunks by the specification, read back piece by piece; libpng reads the first picture.
#include "core/io/apng.h"

#include <doctest/doctest.h>
#include <png.h>

#include "core/io/session.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

struct ReadChunk {
  std::string type;
  std::vector<std::byte> data;
};

std::vector<ReadChunk> chunks_in(Bytes file) {
  std::vector<ReadChunk> chunks;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t length = load_big<std::uint32_t>(file, at);
    const Bytes body = file.subspan(at + 4, length + 4);
    CHECK(crc32_of(body) == load_big<std::uint32_t>(file, at + 8 + length));
    chunks.push_back({std::string(as_text(body).substr(0, 4)), {body.begin() + 4, body.end()}});
    at += length + 12;
  }
  return chunks;
}

Picture plain(std::uint8_t shade) {
  return {20, 10, std::vector<std::uint8_t>(600, shade)};
}

Picture with_dot(Picture picture, std::size_t x, std::size_t y) {
  picture.rgb[3 * (y * picture.width + x)] ^= 0xff;
  return picture;
}

}  // namespace

TEST_CASE("an animation has its pictures, of the later ones what differs, and one count of its chunks") {
  ApngWriter writer(700);
  const Picture first = plain(50), second = with_dot(with_dot(first, 3, 4), 7, 5);
  for (const Picture& picture : {first, second, second}) writer.add(picture);
  const std::vector<std::byte> file = writer.take(write_session(Document{}));
  std::vector<std::string> types;
  std::vector<std::vector<std::uint32_t>> controls;
  std::uint32_t sequence = 0;
  for (const ReadChunk& chunk : chunks_in(file)) {
    types.push_back(chunk.type);
    if (chunk.type == "acTL") {
      CHECK(load_big<std::uint32_t>(chunk.data, 0) == 3);
      CHECK(load_big<std::uint32_t>(chunk.data, 4) == 0);
    }
    if (chunk.type != "fcTL" && chunk.type != "fdAT") continue;
    CHECK(load_big<std::uint32_t>(chunk.data, 0) == sequence++);
    if (chunk.type == "fdAT") continue;
    REQUIRE(chunk.data.size() == 26);
    controls.emplace_back();
    for (std::size_t i = 0; i < 4; ++i)
      controls.back().push_back(load_big<std::uint32_t>(chunk.data, 4 + 4 * i));
    CHECK(load_big<std::uint16_t>(chunk.data, 20) == 700);
    CHECK(load_big<std::uint16_t>(chunk.data, 22) == 1000);
  }
  CHECK(controls == std::vector<std::vector<std::uint32_t>>{{20, 10, 0, 0}, {5, 2, 3, 4}, {1, 1, 0, 0}});
  CHECK(types.front() == "IHDR");
  const auto place = [&](const char* type) {
    return std::find(types.begin(), types.end(), type) - types.begin();
  };
  CHECK(place("acTL") < place("fcTL"));
  CHECK(place("fcTL") < place("IDAT"));
  CHECK(place("IDAT") < place("fdAT"));
  CHECK(types.back() == "IEND");
  CHECK(read_session(session_in_png(file)) == Document{});
}

TEST_CASE("who knows no animation sees its first picture") {
  ApngWriter writer(1000);
  const Picture first = with_dot(plain(90), 1, 1);
  writer.add(first);
  writer.add(plain(10));
  const std::vector<std::byte> file = writer.take("");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, file.data(), file.size()));
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr));
  CHECK(rgb == first.rgb);
}

}  // namespace attn::tests
