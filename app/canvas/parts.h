// A canvas of parts, each in an area of its own: laid out for the canvas at its zoom, scrolled to what
// somebody asked to see, and drawn where it is in sight.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/notice.h"
#include "app/canvas/presenting.h"
#include "app/canvas/progress.h"
#include "app/canvas/shelf.h"
#include "app/frame/present_view.h"

namespace attn {

// What a workspace's canvas is made of. `Areas` says where each part lies, from the content's top left
// corner, and how large the `content` is.
template <class Scene, class Areas>
struct Parts {
  std::optional<Scene> (*scene)(Frame&);                        // none before the first results
  Areas (*lay_out)(const Scene&, ImVec2 canvas);                // of so many pixels
  std::optional<Rect> (*revealed)(const Scene&, const Areas&);  // what was asked for since the last frame
  std::vector<std::pair<Rect Areas::*, void (*)(Scene&, Rect)>> all;
  bool plot_first = false;  // the first part is a plot that every step is seen in: it is what is presented
};

// While the window presents: the matrices of the present step, or one part as large as there is room.
template <class Scene, class Areas>
void present_parts(Frame& frame, Rect canvas, const Parts<Scene, Areas>& parts) {
  auto scene = parts.scene(frame);
  std::vector<Rect> places;
  std::optional<Rect> revealed;
  if (scene) {
    const Areas areas = parts.lay_out(*scene, {canvas.width(), canvas.height()});
    revealed = parts.revealed(*scene, areas);
    for (const auto& [area, draw] : parts.all) places.push_back(areas.*area);
  }
  const Presented shown = choose_presented(frame, places, revealed, parts.plot_first);
  if (!shown.matrices.empty()) return draw_presented(frame, canvas, shown.matrices);
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  if (scene && shown.part) {
    content = presented_content(frame, canvas, places[*shown.part]);
    const ImVec2 origin = canvas_origin(frame.canvas(), canvas, content);
    parts.all[*shown.part].second(*scene, moved(within_margin(frame.theme, content), origin));
  }
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
}

// With the notice above, and what is being computed over it.
template <class Scene, class Areas>
void draw_parts(Frame& frame, Rect canvas, const Parts<Scene, Areas>& parts) {
  if (presents(frame.view)) return present_parts(frame, canvas, parts);
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  if (auto scene = parts.scene(frame)) {
    const float zoom = frame.canvas().zoom;
    const Areas areas = parts.lay_out(*scene, {canvas.width() * zoom, canvas.height() * zoom});
    content = areas.content;
    if (const auto place = parts.revealed(*scene, areas)) scroll_to(frame, canvas, content, *place);
    const ImVec2 origin = canvas_origin(frame.canvas(), canvas, content);
    for (const auto& [area, draw] : parts.all) {
      const Rect place = moved(areas.*area, origin);
      if (in_sight(place, canvas)) draw(*scene, place);
    }
  }
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
}

}  // namespace attn
