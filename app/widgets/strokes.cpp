// Lines as ribbons of two triangles a piece, discs as one rectangle each. The texture softens their edges.
#include "app/widgets/strokes.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {
namespace {

constexpr float kSharp = 0.3f;              // cosine of the turn beyond which a corner is not mitred
constexpr std::size_t kMostPoints = 8'000;  // in one piece: indices have 16 bits
constexpr float kLeastLength = 1e-3f;       // pixels

ImVec2 operator+(ImVec2 a, ImVec2 b) {
  return {a.x + b.x, a.y + b.y};
}
ImVec2 operator-(ImVec2 a, ImVec2 b) {
  return {a.x - b.x, a.y - b.y};
}
ImVec2 operator*(float k, ImVec2 a) {
  return {k * a.x, k * a.y};
}

// The two edges of a ribbon as it is written into the draw list.
class Ribbon {
 public:
  Ribbon(ImDrawList& list, const Brushes& brushes, ImU32 colour, float thickness)
      : list_(list), colour_(colour), half_(thickness / 2) {
    const auto count = static_cast<float>(brushes.thicknesses);
    const float column = std::clamp(std::round(thickness / brushes.thickness_step), 1.0f, count) - 0.5f;
    const float u = brushes.line_min.x + (brushes.line_max.x - brushes.line_min.x) * column / count;
    uv_[0] = {u, brushes.line_min.y};
    uv_[1] = {u, brushes.line_max.y};
  }

  void draw(std::span<const ImVec2> p) {
    const std::size_t last = p.size() - 1;
    // At most two pairs of corners a point, one piece between two points.
    const auto vertices = static_cast<int>(4 * p.size()), indices = static_cast<int>(6 * last);
    list_.PrimReserve(indices, vertices);
    const unsigned first = list_._VtxCurrentIdx;
    ImVec2 along = direction(p[0], p[1]);
    edge(p[0], normal(along));
    for (std::size_t i = 1; i <= last; ++i) {
      const ImVec2 next = i < last ? direction(p[i], p[i + 1]) : along;
      turn(p[i], along, next, i == last);
      along = next;
    }
    list_.PrimUnreserve(0, vertices - static_cast<int>(list_._VtxCurrentIdx - first));
  }

 private:
  static ImVec2 direction(ImVec2 from, ImVec2 to) { return 1 / stroke_length(to - from) * (to - from); }
  ImVec2 normal(ImVec2 along) const { return (half_ + 0.5f) * ImVec2{along.y, -along.x}; }

  void edge(ImVec2 at, ImVec2 across) {
    ImDrawVert* v = list_._VtxWritePtr;
    v[0] = {at + across, uv_[0], colour_};
    v[1] = {at - across, uv_[1], colour_};
    list_._VtxWritePtr += 2;
    list_._VtxCurrentIdx += 2;
  }
  // The piece between the last two edges.
  void piece() {
    const unsigned b = list_._VtxCurrentIdx - 4;
    for (const unsigned corner : {b, b + 1, b + 3, b, b + 3, b + 2})
      *list_._IdxWritePtr++ = static_cast<ImDrawIdx>(corner);
  }
  void turn(ImVec2 at, ImVec2 along, ImVec2 next, bool last) {
    const float cosine = along.x * next.x + along.y * next.y;
    if (last || cosine > kSharp) {
      edge(at, 1 / (1 + cosine) * (normal(along) + normal(next)));
      return piece();
    }
    // Both pieces reach over the corner by half the thickness, which fills it.
    edge(at + half_ * along, normal(along));
    piece();
    edge(at - half_ * next, normal(next));
  }

  ImDrawList& list_;
  ImU32 colour_;
  float half_;
  ImVec2 uv_[2];
};

// Without those that lie on the one before.
std::vector<ImVec2> apart(std::span<const ImVec2> points) {
  std::vector<ImVec2> kept;
  kept.reserve(points.size());
  for (const ImVec2 p : points)
    if (kept.empty() || stroke_length(p - kept.back()) > kLeastLength) kept.push_back(p);
  return kept;
}

// The disc whose radius is nearest by ratio.
const DiscBrush& brush_of(const Brushes& brushes, float radius) {
  const DiscBrush* best = &brushes.discs[0];
  const auto misfit = [&](const DiscBrush& disc) {
    return std::max(disc.radius / radius, radius / disc.radius);
  };
  for (const DiscBrush& disc : brushes.discs)
    if (misfit(disc) < misfit(*best)) best = &disc;
  return *best;
}

}  // namespace

void draw_stroke(ImDrawList& list, const Theme& theme, std::span<const ImVec2> points, ImU32 colour,
                 float thickness) {
  const std::vector<ImVec2> kept = apart(points);
  if (kept.size() < 2 || (colour & IM_COL32_A_MASK) == 0) return;
  if (theme.fonts.brushes.thickness_step == 0) {
    list.AddPolyline(kept.data(), static_cast<int>(kept.size()), colour, 0, thickness);
    return;
  }
  Ribbon ribbon(list, theme.fonts.brushes, colour, thickness);
  for (std::size_t i = 0; i + 1 < kept.size(); i += kMostPoints - 1)
    ribbon.draw(std::span(kept).subspan(i, std::min(kMostPoints, kept.size() - i)));
}

void draw_dashes(ImDrawList& list, const Theme& theme, std::span<const ImVec2> points, ImU32 colour,
                 float thickness, float on, float off) {
  std::vector<ImVec2> dash;
  float left = on;  // pixels, of the dash or the gap
  bool drawing = true;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    ImVec2 at = points[i];
    if (drawing) dash.push_back(at);
    float room = stroke_length(points[i + 1] - at);
    for (; room > left; left = drawing ? on : off) {
      at = at + left / room * (points[i + 1] - at);
      room -= left;
      if (drawing) {
        dash.push_back(at);
        draw_stroke(list, theme, dash, colour, thickness);
      }
      dash.assign(drawing ? 0 : 1, at);
      drawing = !drawing;
    }
    left -= room;
  }
  if (!drawing || points.empty()) return;
  dash.push_back(points.back());
  draw_stroke(list, theme, dash, colour, thickness);
}

void draw_disc(ImDrawList& list, const Theme& theme, ImVec2 centre, float radius, ImU32 colour) {
  if (theme.fonts.brushes.thickness_step == 0) return list.AddCircleFilled(centre, radius, colour);
  const DiscBrush& brush = brush_of(theme.fonts.brushes, radius);
  const float half = (brush.radius + 0.5f) * radius / brush.radius;
  list.PrimReserve(6, 4);
  list.PrimRectUV({centre.x - half, centre.y - half}, {centre.x + half, centre.y + half}, brush.uv_min,
                  brush.uv_max, colour);
}

void draw_ring(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour, float thickness) {
  constexpr int kSegments = 32;  // the toolkit's own choice shows corners
  list.AddCircle(centre, radius, colour, kSegments, thickness);
}

}  // namespace attn
