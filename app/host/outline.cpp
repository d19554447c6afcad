// All polygons turn the same way, so a side between two of them is there once in each direction: both go.
// What is left enters every corner as often as it leaves it, and so falls into loops.
#include "app/host/outline.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

OutlinePoint rounded_point(ImVec2 p) {
  return {static_cast<std::int32_t>(std::lround(p.x * 100)),
          static_cast<std::int32_t>(std::lround(p.y * 100))};
}

// Twice the area of the triangle.
std::int64_t turn_of(OutlinePoint a, OutlinePoint b, OutlinePoint c) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) -
         (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
}

std::int64_t area_of(std::span<const OutlinePoint> polygon) {
  std::int64_t area = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) area += turn_of(polygon[0], polygon[i - 1], polygon[i]);
  return area;
}

// Without corners that lie on the straight line between their neighbours.
std::vector<OutlinePoint> simplified(const std::vector<OutlinePoint>& loop) {
  std::vector<OutlinePoint> kept;
  const auto is_straight = [](OutlinePoint a, OutlinePoint b, OutlinePoint c) {
    return turn_of(a, b, c) == 0;
  };
  for (const OutlinePoint p : loop) {
    while (kept.size() > 1 && is_straight(kept[kept.size() - 2], kept.back(), p)) kept.pop_back();
    kept.push_back(p);
  }
  while (kept.size() > 2 && is_straight(kept[kept.size() - 2], kept.back(), kept.front())) kept.pop_back();
  return kept;
}

}  // namespace

void Outline::add(std::span<const ImVec2> polygon) {
  std::vector<OutlinePoint> corners;
  for (const ImVec2 p : polygon) {
    const OutlinePoint corner = rounded_point(p);
    if (corners.empty() || corners.back() != corner) corners.push_back(corner);
  }
  const std::int64_t area = area_of(corners);
  if (area == 0) return;
  if (area < 0) std::reverse(corners.begin(), corners.end());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const OutlinePoint from = corners[i], to = corners[(i + 1) % corners.size()];
    if (from == to) continue;
    if (const auto back = sides_.find({to, from}); back == sides_.end())
      ++sides_[{from, to}];
    else if (--back->second == 0)
      sides_.erase(back);
  }
}

Loops Outline::take() {
  Loops loops;
  while (!sides_.empty()) {
    const OutlinePoint start = sides_.begin()->first.first;
    std::vector<OutlinePoint> loop;
    for (OutlinePoint at = start; loop.empty() || at != start;) {
      loop.push_back(at);
      const auto side = sides_.lower_bound({at, {INT32_MIN, INT32_MIN}});
      at = side->first.second;
      if (--side->second == 0) sides_.erase(side);
    }
    loop = simplified(loop);
    if (loop.size() > 2) loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace attn
