// Parts of pictures that are told apart: by a texel of theirs, and by none that lies elsewhere.
#include "app/render/texel_blocks.h"

#include <doctest/doctest.h>

#include <random>

using namespace attn;

namespace {

// Of one size, filled from a seed.
Texels filled(std::size_t width, std::size_t height, unsigned seed) {
  Texels texels{width, height, std::vector<std::uint32_t>(width * height)};
  std::mt19937 random(seed);
  for (std::uint32_t& bits : texels.bits) bits = static_cast<std::uint32_t>(random());
  return texels;
}

}  // namespace

TEST_CASE("a part of a picture differs where one of its texels does and not where a far one does") {
  std::mt19937 random(5);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  constexpr float kFar = 9;  // texels: a block and one
  for (unsigned round = 0; round < 400; ++round) {
    const std::size_t width = 1 + below(80), height = 1 + below(80);
    Texels texels = filled(width, height, round);
    const TexelBlocks before(texels);
    const std::size_t x = below(width), y = below(height);
    texels.bits[y * width + x] ^= 1;
    const TexelBlocks after(texels);
    const auto across = static_cast<float>(width), down = static_cast<float>(height);
    const ImVec2 texel{static_cast<float>(x), static_cast<float>(y)};
    const ImVec2 from{std::max(0.0f, texel.x - static_cast<float>(below(9))) / across,
                      std::max(0.0f, texel.y - static_cast<float>(below(9))) / down};
    const ImVec2 to{std::min(across, texel.x + 1 + static_cast<float>(below(9))) / across,
                    std::min(down, texel.y + 1 + static_cast<float>(below(9))) / down};
    INFO(width, "×", height, ", texel ", x, ", ", y);
    CHECK(before.between(from, to) != after.between(from, to));
    CHECK(before.between({0, 0}, {1, 1}) != after.between({0, 0}, {1, 1}));
    if (texel.x > kFar)
      CHECK(before.between({0, 0}, {(texel.x - kFar) / across, 1}) ==
            after.between({0, 0}, {(texel.x - kFar) / across, 1}));
    if (texel.y + kFar + 1 < down)
      CHECK(before.between({0, (texel.y + kFar + 1) / down}, {1, 1}) ==
            after.between({0, (texel.y + kFar + 1) / down}, {1, 1}));
  }
}

TEST_CASE("pictures of other sizes differ in all their parts") {
  const Texels wide{6, 4, std::vector<std::uint32_t>(24, 7)}, high{4, 6, std::vector<std::uint32_t>(24, 7)};
  CHECK(TexelBlocks(wide).between({0, 0}, {1, 1}) != TexelBlocks(high).between({0, 0}, {1, 1}));
}
