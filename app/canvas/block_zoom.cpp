// The zoom about the pointer: what stays where it is while the blocks grow.
#include <algorithm>
#include <cmath>

#include "app/canvas/block_arrange.h"
#include "app/canvas/canvas.h"
#include "app/cells/cell_layout.h"

namespace attn {
namespace {

// The part of a block that grows with the zoom; of a matrix without its labels.
Rect growing_part(const Frame& frame, Block& block, const Place& place, ImVec2 origin) {
  const Rect box = put_block(frame, block, place, origin);
  return block.kind == Block::matrix ? cell_layout(block.grid, frame).cells : box;
}

float distance(Rect box, ImVec2 p) {
  const ImVec2 nearest{std::clamp(p.x, box.min.x, box.max.x), std::clamp(p.y, box.min.y, box.max.y)};
  return std::hypot(p.x - nearest.x, p.y - nearest.y);
}

// A point along an edge of a block's growing part: a share of it, and pixels beyond.
struct EdgePoint {
  float share = 0, beyond = 0;

  static EdgePoint of(float at, float from, float to) {
    const float inside = std::clamp(at, from, to);
    return {to > from ? (inside - from) / (to - from) : 0, at - inside};
  }
  float at(float from, float to) const { return from + share * (to - from) + beyond; }
};

}  // namespace

// Titles, labels and gaps don't grow with the zoom: what is held on to is the place within the nearest block.
void zoom_at(Frame& frame, std::vector<BlockGroup>& groups, Rect canvas, float notches) {
  CanvasView& view = frame.canvas();
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const CanvasLayout before = arrange(frame, groups, canvas);
  if (before.places.empty()) return;
  const auto part_of = [&](const Place& place, ImVec2 origin) {
    return growing_part(frame, groups[place.group].blocks[place.block], place, origin);
  };
  const ImVec2 origin = canvas_origin(view, canvas, before.size);
  const auto nearest = std::ranges::min_element(
      before.places, {}, [&](const Place& place) { return distance(part_of(place, origin), pointer); });
  const Rect held = part_of(*nearest, origin);
  const EdgePoint x = EdgePoint::of(pointer.x, held.min.x, held.max.x),
                  y = EdgePoint::of(pointer.y, held.min.y, held.max.y);

  change_zoom(view, notches);
  const CanvasLayout after = arrange(frame, groups, canvas);
  const auto& place = after.places[static_cast<std::size_t>(nearest - before.places.begin())];
  for (int i = 0; i < 2; ++i) {  // the second makes up for whole pixels
    const Rect grown = part_of(place, canvas_origin(view, canvas, after.size));
    view.scroll_x += x.at(grown.min.x, grown.max.x) - pointer.x;
    view.scroll_y += y.at(grown.min.y, grown.max.y) - pointer.y;
  }
}

}  // namespace attn
