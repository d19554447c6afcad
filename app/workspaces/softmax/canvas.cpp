// The canvas of the workspace of the softmax: its parts, laid out, scrolled to the step of the stage bar.
#include "app/workspaces/softmax/row.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/canvas/parts.h"
#include "app/workspaces/softmax/scene.h"
#include "app/workspaces/softmax/view.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kTemperatureSweep = 8;  // seconds from the least temperature to the largest
constexpr float kSoftmaxGapY = 12, kMiddle = 480;
constexpr float kShareHeight = 22, kKeysHead = 46, kKeyLine = 28, kMostKeysHeight = 330;

// Parts side by side in a row.
struct Placing {
  Shelf& shelf;
  float gap, below;
  void side_by_side(std::initializer_list<std::pair<Rect*, float>> parts, float height) const {
    shelf.side_by_side(parts, height, gap, below);
  }
};

void place_wide(SoftmaxAreas& a, const Placing& place, const Theme& theme, float height) {
  const auto part = [&](float share, float least) {
    return std::clamp(height * share, theme.px(least), theme.px(420));
  };
  place.side_by_side({{&a.scores, 0.33f}, {&a.weights, 0.34f}, {&a.jacobian, 0.33f}}, part(0.315f, 230));
  place.side_by_side({{&a.curves, 0.52f}, {&a.entropy, 0.48f}}, part(0.295f, 210));
  place.side_by_side({{&a.products, 0.38f}, {&a.largest, 0.32f}, {&a.widths, 0.3f}}, part(0.28f, 200));
}

void place_middle(SoftmaxAreas& a, const Placing& place, const Theme& theme) {
  place.side_by_side({{&a.scores, 0.5f}, {&a.weights, 0.5f}}, theme.px(240));
  place.side_by_side({{&a.curves, 1}}, theme.px(230));
  place.side_by_side({{&a.jacobian, 0.5f}, {&a.entropy, 0.5f}}, theme.px(240));
  place.side_by_side({{&a.products, 1}}, theme.px(210));
  place.side_by_side({{&a.largest, 0.5f}, {&a.widths, 0.5f}}, theme.px(210));
}

void place_narrow(SoftmaxAreas& a, const Placing& place, const Theme& theme) {
  for (Rect* rect :
       {&a.scores, &a.weights, &a.jacobian, &a.curves, &a.entropy, &a.products, &a.largest, &a.widths})
    place.side_by_side({{rect, 1}}, theme.px(220));
}

SoftmaxAreas lay_out(const SoftmaxScene& scene, ImVec2 canvas) {
  SoftmaxAreas a;
  const Theme& theme = scene.frame.theme;
  const std::size_t keys = scene.keys();
  const auto [steps, instead, format] = strip_counts(scene);
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
  a.steps = shelf.take(strips_height(theme, width, steps, keys), below);
  a.instead = shelf.take(strips_height(theme, width, instead, keys), below);
  a.format = shelf.take(strips_height(theme, width, format, keys), below);
  const float lines = kKeysHead + kKeyLine * static_cast<float>(keys);
  a.keys = shelf.take(theme.px(std::min(lines, kMostKeysHeight)), margin);
  a.content = {canvas.x, shelf.y};
  return a;
}

// Steps of the stage bar are seen in the strips; the Jacobian is a map of its own.
std::optional<Rect> revealed(const SoftmaxScene& scene, const SoftmaxAreas& areas) {
  const auto stage = take_revealed(scene.frame, scene.results.graph);
  if (!stage) return std::nullopt;
  const SoftmaxPlaces& places = scene.places();
  const std::size_t part = scene.stage(*stage).part;
  if (stage == places.jacobian) return areas.jacobian;
  if (part == places.format.part) return areas.format;
  if (part == places.products.part) return areas.products;
  if (part == places.curves.part) return areas.curves;
  return std::ranges::count(places.others, part, &WeightingStages::part) > 0 ? areas.instead : areas.steps;
}

}  // namespace

void draw_softmax(Frame& frame, Rect canvas) {
  using Areas = SoftmaxAreas;
  draw_parts<SoftmaxScene, Areas>(frame, canvas,
                                  {softmax_scene,
                                   lay_out,
                                   revealed,
                                   {{&Areas::scores, draw_score_bars},
                                    {&Areas::weights, draw_weight_bars},
                                    {&Areas::jacobian, draw_row_jacobian},
                                    {&Areas::curves, draw_temperatures},
                                    {&Areas::entropy, draw_entropy},
                                    {&Areas::products, draw_products},
                                    {&Areas::largest, draw_largest},
                                    {&Areas::widths, draw_widths},
                                    {&Areas::share, draw_share},
                                    {&Areas::steps, draw_row_steps},
                                    {&Areas::instead, draw_instead},
                                    {&Areas::format, draw_format},
                                    {&Areas::keys, draw_keys_table}}});
  if (auto scene = softmax_scene(frame)) hand_over_typed(*scene);
}

void play_softmax(View& view, const Document&, double seconds) {
  double& swept = view.of<SoftmaxView>().swept;
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
