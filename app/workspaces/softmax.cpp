// The canvas of the workspace of the softmax: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/softmax.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/workspaces/canvas.h"
#include "app/workspaces/notice.h"
#include "app/workspaces/progress.h"
#include "app/workspaces/softmax_scene.h"
#include "core/error.h"
#include "core/text.h"

namespace attn {
namespace {

constexpr double kTemperatureSweep = 8;  // seconds from the least temperature to the largest
constexpr float kSoftmaxGapY = 12, kMiddle = 480;
constexpr float kShareHeight = 22, kKeysHead = 46, kKeyLine = 28, kMostKeysHeight = 330;

// Side by side where there is room, else below each other.
struct Placing {
  Shelf& shelf;
  float gap, below;
  void beside(std::initializer_list<std::pair<Rect*, float>> parts, float height) const {
    const Rect row = shelf.take(height, below);
    float all = 0, from = 0;
    for (const auto& [rect, share] : parts) all += share;
    for (const auto& [rect, share] : parts) {
      *rect = part_of(row, from / all, (from + share) / all, gap);
      from += share;
    }
  }
};

void place_wide(SoftmaxAreas& a, const Placing& place, const Theme& theme, float height) {
  const auto part = [&](float share, float least) {
    return std::clamp(height * share, theme.px(least), theme.px(420));
  };
  place.beside({{&a.scores, 0.33f}, {&a.weights, 0.34f}, {&a.jacobian, 0.33f}}, part(0.315f, 230));
  place.beside({{&a.curves, 0.52f}, {&a.entropy, 0.48f}}, part(0.295f, 210));
  place.beside({{&a.products, 0.38f}, {&a.largest, 0.32f}, {&a.widths, 0.3f}}, part(0.28f, 200));
}

void place_middle(SoftmaxAreas& a, const Placing& place, const Theme& theme) {
  place.beside({{&a.scores, 0.5f}, {&a.weights, 0.5f}}, theme.px(240));
  place.beside({{&a.curves, 1}}, theme.px(230));
  place.beside({{&a.jacobian, 0.5f}, {&a.entropy, 0.5f}}, theme.px(240));
  place.beside({{&a.products, 1}}, theme.px(210));
  place.beside({{&a.largest, 0.5f}, {&a.widths, 0.5f}}, theme.px(210));
}

void place_narrow(SoftmaxAreas& a, const Placing& place, const Theme& theme) {
  for (Rect* rect :
       {&a.scores, &a.weights, &a.jacobian, &a.curves, &a.entropy, &a.products, &a.largest, &a.widths})
    place.beside({{rect, 1}}, theme.px(220));
}

// Steps of the stage bar are seen in the strips; the Jacobian is a map of its own.
void reveal(SoftmaxScene& scene, const SoftmaxAreas& areas, Rect canvas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage) return;
  const SoftmaxPlaces& places = scene.places();
  const std::size_t part = scene.stage(*stage).part;
  Rect to = areas.steps;
  if (stage == places.jacobian)
    to = areas.jacobian;
  else if (part == places.format.part)
    to = areas.format;
  else if (part == places.products.part)
    to = areas.products;
  else if (part == places.curves.part)
    to = areas.curves;
  else if (std::ranges::count(places.others, part, &WeightingStages::part) > 0)
    to = areas.instead;
  scroll_to(scene.frame, canvas, areas.content, to);
}

void draw_parts(SoftmaxScene& scene, const SoftmaxAreas& areas, Rect canvas) {
  const ImVec2 origin = canvas_origin(scene.frame.canvas(), canvas, areas.content);
  const auto draw = [&](Rect area, auto part) {
    const Rect place = moved(area, origin);
    if (in_sight(place, canvas)) part(scene, place);
  };
  if (in_sight(moved(areas.products, origin), canvas) || in_sight(moved(areas.share, origin), canvas))
    measure_products(scene.memo.products, scene);
  draw(areas.scores, draw_score_bars);
  draw(areas.weights, draw_weight_bars);
  draw(areas.jacobian, draw_row_jacobian);
  draw(areas.curves, draw_temperatures);
  draw(areas.entropy, draw_entropy);
  draw(areas.products, draw_products);
  draw(areas.largest, draw_largest);
  draw(areas.widths, draw_widths);
  draw(areas.share, draw_share);
  draw(areas.steps, draw_row_steps);
  draw(areas.instead, draw_instead);
  draw(areas.format, draw_format);
  draw(areas.keys, draw_keys_table);
}

}  // namespace

SoftmaxAreas softmax_areas(const Theme& theme, ImVec2 canvas, const std::array<std::size_t, 3>& strips,
                           std::size_t keys) {
  SoftmaxAreas a;
  const float margin = theme.px(kSceneMargin), below = theme.px(kSoftmaxGapY);
  Shelf shelf{margin, canvas.x - margin, theme.px(8)};
  const Placing place{shelf, theme.px(kSceneGap), below};
  const float width = shelf.right - shelf.left;
  if (width >= theme.px(kRoomyScene))
    place_wide(a, place, theme, canvas.y);
  else if (width >= theme.px(kMiddle))
    place_middle(a, place, theme);
  else
    place_narrow(a, place, theme);
  shelf.y -= below / 2;
  a.share = shelf.take(theme.px(kShareHeight), below);
  a.steps = shelf.take(strips_height(theme, width, strips[0], keys), below);
  a.instead = shelf.take(strips_height(theme, width, strips[1], keys), below);
  a.format = shelf.take(strips_height(theme, width, strips[2], keys), below);
  const float lines = kKeysHead + kKeyLine * static_cast<float>(keys);
  a.keys = shelf.take(theme.px(std::min(lines, kMostKeysHeight)), margin);
  a.content = {canvas.x, shelf.y};
  return a;
}

void draw_softmax(Frame& frame, Rect canvas) {
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  if (auto scene = softmax_scene(frame)) {
    const float zoom = frame.canvas().zoom;
    const SoftmaxAreas areas = softmax_areas(frame.theme, {canvas.width() * zoom, canvas.height() * zoom},
                                             strip_counts(*scene), scene->keys());
    content = areas.content;
    reveal(*scene, areas, canvas);
    draw_parts(*scene, areas, canvas);
    hand_over_typed(*scene);
  }
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
}

void play_softmax(View& view, const Document&, double seconds) {
  double& swept = view.softmax.swept;
  swept += seconds / kTemperatureSweep;
  if (!(swept >= 0 && swept <= 1)) swept = 0;
}

std::optional<Spot> look_at_layer_row(Document& document, View&, const Results&,
                                      const std::vector<double>& at) {
  SoftmaxSpec wanted = document.softmax;
  wanted.source = RowSource::layer;
  const auto whole = [](double number) {
    if (number < 0 || number != std::floor(number) || number > 1e9)
      throw Error("heads and queries are whole numbers from 0 on, not " + brief(number), Fault::option);
    return static_cast<std::size_t>(number);
  };
  wanted.head = whole(at[0]), wanted.query = whole(at[1]);
  Document there = document;
  there.softmax = wanted;
  const LayerRow row = layer_row(there);
  if (row.head != wanted.head || row.query != wanted.query)
    throw Error("the layer has no head " + brief(at[0]) + " with a query " + brief(at[1]) +
                    ": its last head is " + std::to_string(row.head) + " and its last query " +
                    std::to_string(row.query) + ", counted from 0",
                Fault::option);
  document.softmax = std::move(wanted);
  return std::nullopt;
}

}  // namespace attn
