// The pictures of lines and discs in the fonts' texture. That is read without filtering where points are
// pixels, so they hold several texels a pixel: the edge is as soft wherever it lies between pixels.
#include "app/theme/brushes.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr float kThicknessStep = 0.25f;
constexpr int kThicknesses = 40, kAcross = 64;  // texels
constexpr int kTexelsAPixel = 4;
constexpr float kRadii[] = {2.5f, 4, 7};  // at scale 1

int disc_side(float radius) {
  return static_cast<int>(std::ceil(2 * (radius + 0.5f) * kTexelsAPixel));
}

struct Canvas {
  ImFontAtlas& atlas;
  const ImFontAtlasCustomRect& place;

  void set(int x, int y, float coverage) const {
    const long shade = std::lround(255 * std::clamp(coverage, 0.0f, 1.0f));
    atlas.TexPixelsAlpha8[(place.Y + y) * atlas.TexWidth + place.X + x] = static_cast<unsigned char>(shade);
  }
  void uv(ImVec2& min, ImVec2& max) const { atlas.CalcCustomRectUV(&place, &min, &max); }
};

// From −(thickness + 1) / 2 to (thickness + 1) / 2 across the line.
void paint_lines(const Canvas& canvas) {
  for (int column = 0; column < kThicknesses; ++column)
    for (int row = 0; row < kAcross; ++row) {
      const float thickness = kThicknessStep * static_cast<float>(column + 1);
      const float across = (static_cast<float>(row) + 0.5f) / kAcross - 0.5f;
      const float inside = (thickness + 1) * (0.5f - std::abs(across));
      canvas.set(column, row, std::min(inside, thickness));
    }
}

void paint_disc(const Canvas& canvas, float radius) {
  const int side = disc_side(radius);
  const float middle = static_cast<float>(side) / 2;
  const float pixels = 2 * (radius + 0.5f) / static_cast<float>(side);  // of a texel
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const float dx = static_cast<float>(x) + 0.5f - middle, dy = static_cast<float>(y) + 0.5f - middle;
      canvas.set(x, y, radius + 0.5f - pixels * std::hypot(dx, dy));
    }
}

}  // namespace

BrushPlaces::BrushPlaces(ImFontAtlas& atlas, float scale)
    : lines_(atlas.AddCustomRectRegular(kThicknesses, kAcross)), discs_(), radii_() {
  for (std::size_t i = 0; i < radii_.size(); ++i) {
    radii_[i] = kRadii[i] * scale;
    discs_[i] = atlas.AddCustomRectRegular(disc_side(radii_[i]), disc_side(radii_[i]));
  }
}

Brushes BrushPlaces::paint(ImFontAtlas& atlas) const {
  Brushes brushes{.thickness_step = kThicknessStep, .thicknesses = kThicknesses, .discs = {}};
  const auto canvas = [&](int place) { return Canvas{atlas, *atlas.GetCustomRectByIndex(place)}; };
  paint_lines(canvas(lines_));
  canvas(lines_).uv(brushes.line_min, brushes.line_max);
  for (std::size_t i = 0; i < discs_.size(); ++i) {
    paint_disc(canvas(discs_[i]), radii_[i]);
    brushes.discs[i].radius = radii_[i];
    canvas(discs_[i]).uv(brushes.discs[i].uv_min, brushes.discs[i].uv_max);
  }
  return brushes;
}

}  // namespace attn
