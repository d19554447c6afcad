// Brushes: lines and discs with soft edges as small pictures in the fonts' texture. With them a line takes
// two triangles a piece and a disc two; Dear ImGui's own take six and some thirty, which is most of a frame
// where there is no graphics card.
#pragma once

#include <imgui.h>

#include <array>

namespace attn {

// The picture of a disc, its soft edge included. It serves radii near its own.
struct DiscBrush {
  float radius = 0;  // pixels
  ImVec2 uv_min{}, uv_max{};
};

struct Brushes {
  // Lines: columns of the texture, the thickness growing by `thickness_step` pixels; each holds what the line
  // covers from one side to the other.
  float thickness_step = 0;  // 0: there are no brushes
  std::size_t thicknesses = 0;
  ImVec2 line_min{}, line_max{};  // the first column's left top, the last one's right bottom
  std::array<DiscBrush, 3> discs;
};

// In two steps, as the texture is made: room for them, then, once it is built, the pictures.
class BrushPlaces {
 public:
  BrushPlaces(ImFontAtlas& atlas, float scale);
  Brushes paint(ImFontAtlas& atlas) const;

 private:
  int lines_;
  std::array<int, 3> discs_;
  std::array<float, 3> radii_;
};

}  // namespace attn
