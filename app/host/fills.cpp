// A fill is told by its indices and vertices: its rectangle is opaque, upright and of one colour.
#include "app/host/fills.h"

#include <algorithm>
#include <cmath>

namespace attn {

std::optional<LargeFill> large_fill(const ImDrawList& list, const ImDrawCmd& command, unsigned at,
                                    float area) {
  const ImDrawIdx* i = list.IdxBuffer.Data + command.IdxOffset + at;
  if (i[1] != i[0] + 1 || i[2] != i[0] + 2 || i[3] != i[0] || i[4] != i[2] || i[5] != i[0] + 3)
    return std::nullopt;
  const ImDrawVert* v = list.VtxBuffer.Data + command.VtxOffset + i[0];
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  for (int k = 0; k < 4; ++k)
    if (v[k].col != v[0].col || v[k].uv.x != white.x || v[k].uv.y != white.y) return std::nullopt;
  const bool upright = v[0].pos.y == v[1].pos.y && v[1].pos.x == v[2].pos.x && v[2].pos.y == v[3].pos.y &&
                       v[3].pos.x == v[0].pos.x;
  const bool opaque = (v[0].col >> IM_COL32_A_SHIFT) == 0xff;
  const bool large = (v[2].pos.x - v[0].pos.x) * (v[2].pos.y - v[0].pos.y) >= area;
  if (!upright || !opaque || !large) return std::nullopt;
  return LargeFill{v[0].pos, v[2].pos, v[0].col};
}

Rect whole_pixels(const ImVec4& clip) {
  const float right = std::trunc(clip.x) + std::trunc(clip.z - clip.x), bottom = std::ceil(clip.w);
  return {{std::trunc(clip.x), bottom - std::trunc(clip.w - clip.y)}, {right, bottom}};
}

Rect filled_pixels(const LargeFill& fill, const ImVec4& clip) {
  const Rect seen = whole_pixels(clip);
  return {{std::max(std::ceil(std::max(fill.min.x, clip.x)), seen.min.x),
           std::max(std::ceil(std::max(fill.min.y, clip.y)), seen.min.y)},
          {std::min(std::floor(std::min(fill.max.x, clip.z)), seen.max.x),
           std::min(std::floor(std::min(fill.max.y, clip.w)), seen.max.y)}};
}

}  // namespace attn
