// Contrast by relative luminance: the channels are sRGB and have to be made linear before they are weighed.
#include "app/theme/contrast.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {
namespace {

// Of each value of a channel: a frame asks for thousands of inks.
std::array<float, 256> make_linear() {
  std::array<float, 256> linear;
  for (std::size_t i = 0; i < linear.size(); ++i) {
    const float v = static_cast<float>(i) * (1.0f / 255);  // as the toolkit converts
    linear[i] = v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
  }
  return linear;
}

float luminance(ImU32 colour) {
  static const std::array<float, 256> kLinear = make_linear();
  const auto linear = [&](int shift) { return kLinear[colour >> shift & 0xff]; };
  return 0.2126f * linear(IM_COL32_R_SHIFT) + 0.7152f * linear(IM_COL32_G_SHIFT) +
         0.0722f * linear(IM_COL32_B_SHIFT);
}

}  // namespace

float contrast(ImU32 a, ImU32 b) {
  const float x = luminance(a) + 0.05f, y = luminance(b) + 0.05f;
  return std::max(x, y) / std::min(x, y);
}

ImU32 set_off(const Theme& theme, ImU32 colour, ImU32 ground, float least) {
  ImU32 seen = colour;
  for (int i = 1; i <= 10 && contrast(seen, ground) < least; ++i)
    seen = mix(colour, theme.text | IM_COL32_A_MASK, 0.1f * static_cast<float>(i));
  return (seen & ~IM_COL32_A_MASK) | (colour & IM_COL32_A_MASK);
}

ImU32 read_colour(const Theme& theme, ImU32 colour, ImU32 ground) {
  return set_off(theme, colour, ground, 4.5f);
}

}  // namespace attn
