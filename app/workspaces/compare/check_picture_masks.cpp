// The two masks, and what weights add up to by row, by column or over heads: yours and ours.
#include <algorithm>
#include <cmath>

#include "app/cells/cell_draw.h"
#include "app/inspector/inspector_model.h"
#include "app/plot/plot.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_picture.h"
#include "core/operations/shared_heads.h"

namespace attn {
namespace {

constexpr float kMaskCell = 22, kLeastMaskCell = 4, kMaskLabels = 46, kLabelledMask = 11;

// The mask of a layer's graph: what hides a key from a query. Empty: nothing does.
Tensor mask_of_layer(const Results& results) {
  const auto& places = results.graph.parts.front().stages;
  if (!places || !places->mask) return {};
  const StageResult& mask = results.outputs[*places->mask];
  return mask.here() ? mask.whole() : Tensor();
}

struct MaskPair {
  Tensor yours, ours;
  std::size_t head = 0, heads = 1;

  bool hides(const Tensor& mask, std::size_t row, std::size_t column) const {
    return !mask.empty() && mask[{shared_matrix(head, mask.stack(), heads), row, column}] != 0;
  }
};

void draw_mask_cells(const PictureScene& scene, Rect half, const MaskPair& masks, const Tensor& mask) {
  const Theme& theme = scene.theme();
  const Shape shape = scene.stage(scene.places().scores).shape;
  const float labels = theme.px(kMaskLabels), least = theme.px(kLeastMaskCell);
  const auto fit = [&](float room) { return static_cast<std::size_t>(std::max(1.0f, room / least)); };
  const PictureWindow rows = window_around(shape.rows, fit(half.height()), scene.cell.row);
  const PictureWindow columns = window_around(shape.columns, fit(half.width() - labels), scene.cell.column);
  const float side = std::min({theme.px(kMaskCell), half.height() / static_cast<float>(rows.count),
                               (half.width() - labels) / static_cast<float>(columns.count)});
  const float gap = side >= theme.px(8) ? theme.px(1) : 0;
  const ImFont* font = theme.fonts.small;
  for (std::size_t r = rows.first; r < rows.first + rows.count; ++r) {
    const float top = half.min.y + side * static_cast<float>(r - rows.first);
    if (side >= theme.px(kLabelledMask)) {
      const std::string label =
          elided(font, axis_label(scene.stage(scene.places().scores).rows, r), labels - theme.px(kLabelGap));
      draw_text(scene.list(), font,
                {half.min.x + labels - theme.px(kLabelGap) - text_width(font, label),
                 top + (side - font_size(font)) / 2},
                r == scene.cell.row ? theme.text : theme.dim, label);
    }
    for (std::size_t c = columns.first; c < columns.first + columns.count; ++c) {
      const float left = half.min.x + labels + side * static_cast<float>(c - columns.first);
      const Rect box{{left, top}, {left + side - gap, top + side - gap}};
      const bool hidden = masks.hides(mask, r, c);
      scene.list().AddRectFilled(box.min, box.max, hidden ? theme.masked : theme.query);
      if (hidden && gap > 0) draw_hatch(scene.list(), box, theme.hatch, theme.px(4));
      if (masks.hides(masks.yours, r, c) != masks.hides(masks.ours, r, c))
        scene.list().AddRect(box.min, box.max, theme.warning, 0, 0, theme.px(gap > 0 ? 1.6f : 1));
    }
  }
}

std::string mask_words(const PictureScene& scene, const MaskPair& masks) {
  const Shape shape = scene.stage(scene.places().scores).shape;
  std::size_t yours = 0, ours = 0, apart = 0;
  for (std::size_t r = 0; r < shape.rows; ++r)
    for (std::size_t c = 0; c < shape.columns; ++c) {
      const bool in_yours = masks.hides(masks.yours, r, c), in_ours = masks.hides(masks.ours, r, c);
      yours += in_yours, ours += in_ours, apart += in_yours != in_ours;
    }
  if (apart == 0)
    return "the same " + std::to_string(ours) + " of " + std::to_string(shape.rows * shape.columns) +
           " pairs are marked in both: what is done with them differs";
  const std::size_t row = std::min(scene.cell.row, shape.rows - 1);
  const auto seen = [&](const Tensor& mask) {
    std::size_t count = 0;
    for (std::size_t c = 0; c < shape.columns; ++c) count += !masks.hides(mask, row, c);
    return std::to_string(count);
  };
  return "yours hides " + std::to_string(yours) + " of " + std::to_string(shape.rows * shape.columns) +
         " pairs, ours " + std::to_string(ours) + "; " + scene.query(row) + " sees " + seen(masks.yours) +
         " keys in yours, " + seen(masks.ours) + " in ours";
}

// What weights of one head add up to along a way.
enum class Along { row, column, heads };

std::vector<float> sums_along(const Tensor& weights, Along along, Cell cell) {
  const Shape shape = weights.shape();
  const std::size_t count = along == Along::row ? shape.rows : shape.columns;
  const std::size_t head = std::min(cell.head, shape.stack - 1), row = std::min(cell.row, shape.rows - 1);
  std::vector<float> sums(count);
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    const std::size_t terms = along == Along::row      ? shape.columns
                              : along == Along::column ? shape.rows
                                                       : shape.stack;
    for (std::size_t t = 0; t < terms; ++t)
      sum += static_cast<double>(along == Along::row      ? weights[{head, i, t}]
                                 : along == Along::column ? weights[{head, t, i}]
                                                          : weights[{t, row, i}]);
    sums[i] = static_cast<float>(sum);
  }
  return sums;
}

std::shared_ptr<const std::vector<std::string>> names_along(const Axis& axis, std::size_t count) {
  auto names = std::make_shared<std::vector<std::string>>();
  for (std::size_t i = 0; i < count; ++i) names->push_back(axis_label(axis, i));
  return names;
}

void draw_sums_along(const PictureScene& scene, Rect half, const Tensor& yours, const Tensor& ours,
                     Along along) {
  const Stage& stage = scene.stage(scene.places().weights);
  const bool by_row = along == Along::row;
  const Axis& axis = by_row ? stage.rows : stage.columns;
  const std::string title = by_row ? "rows add up to"
                            : along == Along::column
                                ? "columns add up to"
                                : "all heads together, row " + scene.query(scene.cell.row);
  Plot plot{.id = by_row ? "check.rows" : "check.columns",
            .title = title,
            .legend = PlotLegend::none,
            .wheel_zooms = false};
  plot.x.names = names_along(axis, by_row ? stage.shape.rows : stage.shape.columns);
  plot.y.low = 0;
  constexpr double kBarShift = 0.2, kBarWidth = 0.36;
  const auto add = [&](const char* name, const Tensor& weights, double shift, ImU32 colour) {
    std::vector<float> sums = sums_along(weights, along, scene.cell);
    const std::size_t count = sums.size();
    plot.series.push_back({.name = name,
                           .kind = SeriesKind::bars,
                           .x = Samples::range(shift, 1, count),
                           .y = Samples::of(std::move(sums)),
                           .width = kBarWidth,
                           .colour = colour});
  };
  add("yours", yours, -kBarShift, scene.theme().key);
  add("ours", ours, kBarShift, scene.theme().query);
  plot.markers.push_back({.id = "one", .vertical = false, .at = 1, .label = "1"});
  draw_plot(scene.frame, plot, half);
}

}  // namespace

void draw_mask_picture(PictureScene& scene, Rect area) {
  const PictureHalves halves = picture_halves(
      scene, area, "who is hidden from whom",
      scene.mistaken ? "yours, as the mistake has it" : "yours: computing …", "ours, as it should be",
      scene.theme().px(kMaskCell) * static_cast<float>(scene.stage(scene.places().scores).shape.rows));
  const std::size_t heads = scene.stage(scene.places().scores).shape.stack;
  MaskPair masks{{}, mask_of_layer(scene.results), std::min(scene.cell.head, heads - 1), heads};
  if (scene.mistaken) masks.yours = mask_of_layer(*scene.mistaken);
  draw_mask_cells(scene, halves.ours, masks, masks.ours);
  if (!scene.mistaken) return;
  draw_mask_cells(scene, halves.yours, masks, masks.yours);
  draw_picture_words(scene, halves.words, mask_words(scene, masks));
}

void draw_axis_picture(PictureScene& scene, Rect area) {
  const StageIndex weights = scene.places().weights;
  const StageResult& ours = scene.results.outputs[weights];
  Tensor yours;
  for (const GivenStage& given : given_stages(scene.results.document.check))
    if (given.id == scene.stage(weights).id) yours = given.numbers;
  if (yours.empty() && scene.mistaken)
    if (const StageResult made = scene.mistaken->result(scene.stage(weights).id); made.here())
      yours = made.whole();
  const bool over_heads = scene.tried.layer.softmax_over == SoftmaxOver::heads;
  const Theme& theme = scene.theme();
  draw_title(scene.list(), theme, area.min, theme.text, "what the weights add up to", {}, area.width());
  const ImFont* font = theme.fonts.small;
  const float ours_at = area.max.x - text_width(font, "ours");
  draw_text(scene.list(), font, {ours_at, area.min.y}, theme.query, "ours");
  draw_text(scene.list(), font, {ours_at - theme.px(kMapGap) - text_width(font, "yours"), area.min.y},
            theme.key, "yours");
  if (yours.empty() || !ours.here() || yours.shape() != ours.whole().shape()) return;
  const float top = area.min.y + theme.px(kTitleHeight), middle = (area.min.x + area.max.x) / 2;
  const float gap = theme.px(kMapGap) / 2;
  draw_sums_along(scene, {{area.min.x, top}, {middle - gap, area.max.y}}, yours, ours.whole(), Along::row);
  draw_sums_along(scene, {{middle + gap, top}, area.max}, yours, ours.whole(),
                  over_heads ? Along::heads : Along::column);
}

}  // namespace attn
