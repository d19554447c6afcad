// Contrast by relative luminance: the channels are sRGB and have to be made linear before they are weighed.
#include "app/theme/contrast.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

float luminance(ImU32 colour) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  const auto linear = [](float v) {
    return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
  };
  return 0.2126f * linear(c.x) + 0.7152f * linear(c.y) + 0.0722f * linear(c.z);
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
