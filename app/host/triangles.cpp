// Two kinds of soft edges: corners without opacity around a shape, and lines whose picture lies in the font
// texture, across which the texture's coordinates run.
#include "app/host/triangles.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

ImVec2 halfway(ImVec2 a, ImVec2 b) {
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

bool is_opaque(const ImDrawVert& v) {
  return (v.col & IM_COL32_A_MASK) != 0;
}

bool is_near(float a, float b) {
  return std::abs(a - b) < 1e-5f;  // less than a texel
}

// The piece of the font texture between the corners.
struct Texels {
  float left, right, top, bottom;
};

Texels texels_of(const std::array<const ImDrawVert*, 3>& v) {
  const auto [left, right] = std::minmax({v[0]->uv.x, v[1]->uv.x, v[2]->uv.x});
  const auto [top, bottom] = std::minmax({v[0]->uv.y, v[1]->uv.y, v[2]->uv.y});
  return {left, right, top, bottom};
}

// How much of a line's picture is line, and which corners lie on the side whose vertices stand first.
struct LinePicture {
  float share;
  bool down;  // the texture runs down across the line, else to the right
};

std::optional<LinePicture> line_picture(const Texels& t, const Brushes& brushes) {
  if (brushes.thickness_step > 0 && is_near(t.left, t.right) && t.left > brushes.line_min.x &&
      t.left < brushes.line_max.x && is_near(t.top, brushes.line_min.y) &&
      is_near(t.bottom, brushes.line_max.y)) {
    const float column = (brushes.line_max.x - brushes.line_min.x) / static_cast<float>(brushes.thicknesses);
    const float thickness = (std::floor((t.left - brushes.line_min.x) / column) + 1) * brushes.thickness_step;
    return LinePicture{thickness / (thickness + 1), true};
  }
  if (!is_near(t.top, t.bottom)) return std::nullopt;
  const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (int thickness = 1; thickness <= IM_DRAWLIST_TEX_LINES_WIDTH_MAX; ++thickness) {
    const ImVec4& line = atlas.TexUvLines[thickness];
    if (is_near(line.x, t.left) && is_near(line.z, t.right) && is_near(line.y, t.top))
      return LinePicture{static_cast<float>(thickness) / static_cast<float>(thickness + 2), false};
  }
  return std::nullopt;
}

// The corners, those of a line's picture moved to the line's own sides.
std::array<ImDrawVert, 3> own_corners(const std::array<const ImDrawVert*, 3>& v, const Brushes& brushes) {
  std::array<ImDrawVert, 3> own{*v[0], *v[1], *v[2]};
  const Texels texels = texels_of(v);
  const std::optional<LinePicture> line = line_picture(texels, brushes);
  for (std::size_t i = 0; line && i < own.size(); ++i) {
    const bool first = line->down ? is_near(own[i].uv.y, texels.top) : is_near(own[i].uv.x, texels.left);
    const ImVec2 other = first ? v[i][1].pos : v[i][-1].pos, middle = halfway(own[i].pos, other);
    own[i].pos = {middle.x + line->share * (own[i].pos.x - middle.x),
                  middle.y + line->share * (own[i].pos.y - middle.y)};
  }
  return own;
}

// The mean of those that are seen.
ImU32 colour_of(const std::array<ImDrawVert, 3>& v) {
  unsigned sums[4]{}, count = 0;
  for (const ImDrawVert& corner : v) {
    if (!is_opaque(corner)) continue;
    for (int channel = 0; channel < 4; ++channel) sums[channel] += (corner.col >> (8 * channel)) & 0xff;
    ++count;
  }
  ImU32 colour = 0;
  for (int channel = 0; channel < 4 && count > 0; ++channel)
    colour |= ((sums[channel] + count / 2) / count) << (8 * channel);
  return colour;
}

}  // namespace

std::optional<SeenTriangle> seen_of(const std::array<const ImDrawVert*, 3>& corners, const Brushes& brushes) {
  std::array<ImDrawVert, 3> v = own_corners(corners, brushes);
  SeenTriangle seen{.colour = colour_of(v)};
  if (seen.colour == 0) return std::nullopt;
  // Those that are seen first, in their order.
  while (!is_opaque(v[0]) || (!is_opaque(v[1]) && is_opaque(v[2])))
    std::rotate(v.begin(), v.begin() + 1, v.end());
  const ImVec2 a = v[0].pos, b = v[1].pos, c = v[2].pos;
  if (!is_opaque(v[1]))
    seen.places = {a, halfway(a, b), halfway(a, c)}, seen.count = 3;
  else if (!is_opaque(v[2]))
    seen.places = {a, b, halfway(b, c), halfway(a, c)}, seen.count = 4;
  else
    seen.places = {a, b, c}, seen.count = 3;
  return seen;
}

}  // namespace attn
