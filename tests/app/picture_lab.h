// The program drawn into memory, for tests of what its pixels are.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "app/host/offscreen.h"
#include "app/program/input.h"

namespace attn::tests {

struct Pixel {
  int r = 0, g = 0, b = 0;
  bool operator==(const Pixel&) const = default;
};

inline Pixel pixel_of(ImU32 colour) {
  const auto channel = [&](int shift) { return static_cast<int>((colour >> shift) & 0xff); };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
}

inline Pixel pixel_at(const Picture& picture, ImVec2 at) {
  REQUIRE(at.x >= 0);
  REQUIRE(at.y >= 0);
  const auto x = static_cast<std::size_t>(at.x), y = static_cast<std::size_t>(at.y);
  REQUIRE(x < picture.width);
  REQUIRE(y < picture.height);
  const std::uint8_t* rgb = picture.rgb.data() + 3 * (y * picture.width + x);
  return {rgb[0], rgb[1], rgb[2]};
}

// The largest difference of a channel.
inline int distance(Pixel a, Pixel b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

inline Theme theme_of(const Settings& settings, float scale = 1) {
  return make_theme(settings.theme, scale, {}, settings.weight_colours);
}

inline constexpr ThemeName kThemes[] = {ThemeName::dark, ThemeName::light, ThemeName::high_contrast};

}  // namespace attn::tests

namespace doctest {
template <>
struct StringMaker<attn::tests::Pixel> {
  static String convert(const attn::tests::Pixel& p) {
    return ("(" + std::to_string(p.r) + " " + std::to_string(p.g) + " " + std::to_string(p.b) + ")").c_str();
  }
};
}  // namespace doctest
