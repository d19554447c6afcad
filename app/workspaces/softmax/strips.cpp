// The row as it goes: each stage as one line of cells, in its own numbers, under other rules and in fewer
// bits.
#include <algorithm>
#include <cmath>

#include "app/canvas/edits.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/softmax/scene.h"
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kStrip = 88, kCaption = 20, kCell = 34, kStripGap = 26;
constexpr float kLeastCell = 58;  // of a key, in points: fewer strips stand side by side before that

std::size_t columns_for(const Theme& theme, float width, std::size_t count, std::size_t keys) {
  const float wanted = theme.px(90 + kLeastCell * static_cast<float>(keys));
  const auto fit = static_cast<std::size_t>(
      std::max(1.0f, (width + theme.px(kStripGap)) / (wanted + theme.px(kStripGap))));
  return std::clamp<std::size_t>(fit, 1, std::max<std::size_t>(1, std::min<std::size_t>(count, 3)));
}

struct Strip {
  StageIndex stage;
  std::string title = {};    // empty: the stage's, with its formula
  std::string formula = {};  // behind the title
  std::string caption = {};  // below
  ImU32 colour = 0;          // of the caption
  bool scores = false;       // typed into
};

GridEdits score_edits(const SoftmaxPlaces& places) {
  return {.set = [from = places.from](Document& document, std::span<const CellValue> cells) {
    for (const CellValue& cell : cells) set_score(document, cell.cell.column, cell.value, from);
  }};
}

// Backspace on what was typed over scores of the layer: the computed ones come back.
void give_back(SoftmaxScene& scene, const std::string& stage) {
  const View& view = scene.frame.view;
  const auto& selection = view.grid.selection;
  if (!scene.places().from || !view.grid.has_keys || !selection || selection->anchor.stage != stage) return;
  if (!key_pressed(GLFW_KEY_DELETE) && !key_pressed(GLFW_KEY_BACKSPACE)) return;
  const auto [first, last] = std::minmax(selection->anchor.cell.column, selection->cursor.column);
  const LayerRow& from = *scene.places().from;
  for (std::size_t key = first; key <= last; ++key)
    remove_override(scene.frame.draft, kLayerPlan, from.stage, {from.head, from.query, key});
}

void draw_strip(SoftmaxScene& scene, const Strip& strip, Rect area) {
  const Theme& theme = scene.frame.theme;
  Grid grid =
      fitted_grid(scene.frame, strip.stage, 0, {area.min, {area.max.x, area.max.y - theme.px(kCaption)}});
  grid.cell_height = std::min(grid.cell_height, kCell);
  grid.cell_width = std::min(grid.cell_width, 96.0f);
  grid.row_labels = false;
  if (!strip.title.empty()) grid.title = strip.title, grid.subtitle = {{strip.formula}};
  if (strip.scores) grid.edits = score_edits(scene.places());
  if (grid.shape.columns == scene.keys()) grid.mask = scene.memo.hidden;
  draw_grid(scene.frame, grid);
  if (strip.scores) give_back(scene, grid.stage);
  const ImFont* font = theme.fonts.small;
  draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, area.max.y - theme.px(kCaption)}, strip.colour,
            elided(font, strip.caption, area.width()));
}

void draw_strips(SoftmaxScene& scene, Rect area, const std::string& title, const Subtitle& subtitle,
                 const std::vector<Strip>& strips) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, title, subtitle, area.width());
  const std::size_t columns = columns_for(theme, area.width(), strips.size(), scene.keys());
  const float gap = theme.px(kStripGap);
  const float width = (area.width() + gap) / static_cast<float>(columns) - gap;
  for (std::size_t i = 0; i < strips.size(); ++i) {
    const float x = area.min.x + static_cast<float>(i % columns) * (width + gap);
    const float y =
        area.min.y + theme.px(kTitleHeight) + static_cast<float>(i / columns) * theme.px(kStrip + kCaption);
    draw_strip(scene, strips[i], {{x, y}, {x + width, y + theme.px(kStrip + kCaption - 6)}});
  }
}

// How many scores are typed over ones of the layer.
std::string typed_text(const SoftmaxScene& scene) {
  if (!scene.places().from) return "type or paste";
  const LayerRow& from = *scene.places().from;
  std::size_t typed = 0;
  for (const StageOverride& o : overrides_of(scene.frame.draft, kLayerPlan))
    typed += o.stage == from.stage && o.value.cell.head == from.head && o.value.cell.row == from.query;
  if (typed == 0) return "type or paste: overrides in the Pipeline";
  return std::to_string(typed) + " typed over the layer’s; Backspace restores them";
}

std::vector<Strip> steps_of(const SoftmaxScene& scene) {
  const SoftmaxPlaces& l = scene.places();
  const ImU32 dim = scene.frame.theme.dim;
  return {
      {.stage = l.scores, .caption = typed_text(scene), .colour = dim, .scores = true},
      {.stage = l.tempered, .caption = "÷ the temperature " + brief(scene.spec.temperature), .colour = dim},
      {.stage = *l.softmax.shifted, .caption = "the largest is 0", .colour = dim},
      {.stage = *l.softmax.shares, .caption = "at most 1: no overflow", .colour = dim},
      {.stage = *l.softmax.sum, .caption = "what each is divided by", .colour = dim},
      {.stage = l.softmax.weights, .caption = "add up to 1", .colour = dim}};
}

std::string sum_text(double sum) {
  return "sum " + four_digits(sum);
}

// Whether the layer of the row makes its weights so.
bool is_layers(const SoftmaxScene& scene, Weighting weighting) {
  return scene.is_layer() && weighting_of(scene.results.document.layer()) == weighting;
}

// Sum and support, and what the rule says of the sum.
Strip rule_of(const SoftmaxScene& scene, const WeightingStages& stages, std::size_t left) {
  const auto weights = scene.numbers(stages.weights).values();
  const WeightingText& text = weighting_text(stages.weighting);
  const std::size_t support = support_size(weights);
  return {.stage = stages.weights,
          .title = std::string(text.title) + (is_layers(scene, stages.weighting) ? ", the layer’s" : ""),
          .formula = std::string(text.formula),
          .caption = sum_text(sum_of_numbers(weights)) + " (" + std::string(text.sum) + ") · support " +
                     std::to_string(support) + " of " + std::to_string(left),
          .colour = scene.frame.theme.dim};
}

std::vector<Strip> rules_of(const SoftmaxScene& scene) {
  std::vector<Strip> strips;
  const SoftmaxPlaces& l = scene.places();
  strips.push_back(rule_of(scene, l.softmax, scene.memo.saturation.left));
  for (const WeightingStages& other : l.others)
    strips.push_back(rule_of(scene, other, scene.memo.saturation.left));
  return strips;
}

std::vector<Strip> numbers_of(const SoftmaxScene& scene) {
  const FormatStages& f = scene.places().format;
  const Theme& theme = scene.frame.theme;
  const auto weights = scene.numbers(f.weights).values();
  const auto broken =
      static_cast<std::size_t>(std::ranges::count_if(weights, [](float w) { return std::isnan(w); }));
  const double sum = static_cast<double>(scene.numbers(f.sum).values()[0]);
  const std::string quotient = std::isinf(sum) ? "∞ ÷ ∞" : "0 ÷ 0";
  std::vector<Strip> strips{{.stage = f.scores, .caption = "rounded", .colour = theme.dim}};
  if (f.shifted) strips.push_back({.stage = *f.shifted, .caption = "rounded once more", .colour = theme.dim});
  strips.push_back({.stage = f.shares,
                    .caption = std::isinf(sum) ? "∞ is beyond its range" : "Σ " + four_digits(sum),
                    .colour = std::isinf(sum) ? theme.bad : theme.dim});
  strips.push_back({.stage = f.weights,
                    .caption = broken > 0 ? quotient + " is no number: " + std::to_string(broken) + " of them"
                                          : sum_text(sum_of_numbers(weights)),
                    .colour = broken > 0 ? theme.bad : theme.dim});
  return strips;
}

}  // namespace

std::array<std::size_t, 3> strip_counts(const SoftmaxScene& scene) {
  return {6, scene.places().others.size() + 1, std::size_t{3} + (scene.places().format.shifted ? 1 : 0)};
}

float strips_height(const Theme& theme, float width, std::size_t count, std::size_t keys) {
  const std::size_t columns = columns_for(theme, width, count, keys);
  return theme.px(kTitleHeight) +
         static_cast<float>((count + columns - 1) / columns) * theme.px(kStrip + kCaption);
}

void draw_row_steps(SoftmaxScene& scene, Rect area) {
  draw_strips(scene, area, "step by step", {{"scores may be typed and pasted"}}, steps_of(scene));
}

// What was typed over scores of the layer belongs to the layer.
void hand_over_typed(SoftmaxScene& scene) {
  if (!scene.places().from || scene.draft().source != RowSource::layer) return;
  const std::string& scores = scene.stage(scene.places().scores).id;
  std::vector<CellValue> typed;
  std::erase_if(scene.frame.draft.overrides, [&](const StageOverride& o) {
    const bool here = o.workspace == kSoftmaxPlan.name && o.stage == scores;
    if (here) typed.push_back(o.value);
    return here;
  });
  for (const CellValue& cell : typed)
    attempt(scene.frame,
            [&](LayerAt in) { set_score(in.document, cell.cell.column, cell.value, scene.places().from); });
}

void draw_instead(SoftmaxScene& scene, Rect area) {
  Subtitle subtitle{{"the same scores under other rules"}};
  if (scene.spec.temperature == 0)
    subtitle.push_back({"at T 0 all but softmax and hard are as at T 1", true});
  draw_strips(scene, area, "instead of softmax", subtitle, rules_of(scene));
}

void draw_format(SoftmaxScene& scene, Rect area) {
  const SoftmaxSpec& spec = scene.spec;
  Subtitle subtitle{
      {spec.subtract_maximum ? "the maximum is subtracted" : "without subtracting the maximum", true},
      {spec.summation == SumOrder::pairs ? "added by pairs" : "added in order"}};
  if (spec.temperature == 0) subtitle.push_back({"at T 1, as nothing is divided by T 0", true});
  draw_strips(scene, area, std::string("in ") + name(spec.format), subtitle, numbers_of(scene));
}

}  // namespace attn
