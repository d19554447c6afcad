// The controls of the workspace of the softmax.
#include <algorithm>

#include "app/canvas/edits.h"
#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/fields/slider.h"
#include "app/widgets/chips.h"
#include "app/workspaces/softmax/row.h"
#include "app/workspaces/softmax/scene.h"
#include "app/workspaces/softmax/view.h"
#include "core/softmax/fields.h"

namespace attn {
namespace {

void layer_controls(Frame& frame, Column column, const SoftmaxScene& scene) {
  SoftmaxSpec& spec = frame.draft.softmax;
  const auto all = scene.results.graph.stages[scene.places().scores].inputs;
  if (!scene.places().from || all.empty()) return;
  const Stage& stage = scene.stage(all[0]);
  Labels queries;
  for (std::size_t query = 0; query < stage.shape.rows; ++query) {
    const auto& labels = stage.rows.labels;
    queries.push_back(labels && query < labels->size() ? std::to_string(query) + " “" + (*labels)[query] + "”"
                                                       : std::to_string(query));
  }
  FieldRow row = row_in("softmax", softmax_field::query.text);
  row.label = std::string(stage.rows.name);  // of a softmax over queries "key"
  if (const auto chosen = choice_row(frame, column, row, queries, scene.places().from->query))
    spec.query = *chosen;
  std::size_t head = scene.places().from->head;
  CountField about = softmax_field::head;
  about.most = stage.shape.stack - 1;
  if (stage.shape.stack > 1 && field_row(frame, column, "softmax", about, head)) spec.head = head;
}

void key_controls(Frame& frame, Column column, const SoftmaxScene& scene) {
  const std::size_t count = scene.keys();
  const FieldRow row{"softmax.keys", "keys", "added with the score 0, or the last one removed"};
  if (const auto wanted =
          count_row(frame, column, row, {.value = count, .least = 1, .most = softmax_field::kMostKeys}))
    attempt(frame, [&](LayerAt in) {
      for (std::size_t have = count; have < wanted->value; ++have) add_shown_key(in.document, scene.results);
      for (std::size_t have = count; have > wanted->value; --have)
        remove_shown_key(in.document, scene.results, have - 1);
    });
  refusal(frame, column, row.id);
  const auto key = frame.view.of<SoftmaxView>().key;
  if (!key) return;
  const FieldRow score{kScoreField, "score of " + scene.name(*key), "typed, or dragged sideways"};
  const std::vector<float> scores = shown_scores(scene);
  if (const auto wanted =
          number_row(frame, column, score, {.value = static_cast<double>(scores[*key]), .per_pixel = 0.01}))
    attempt(frame, [&](LayerAt in) {
      set_score(in.document, *key, static_cast<float>(*wanted), scene.places().from);
    });
  refusal(frame, column, score.id);
}

void row_controls(Frame& frame, Column column, const std::optional<SoftmaxScene>& scene) {
  SoftmaxSpec& spec = frame.draft.softmax;
  const std::string state = states({state_of(softmax_field::source, spec.source),
                                    scene ? std::to_string(scene->keys()) + " keys" : std::string()});
  if (!foldable_section(frame, column, {.title = "Row", .state = state, .open = true})) return;
  RowSource source = spec.source;
  if (field_row(frame, column, "softmax", softmax_field::source, source)) {
    if (source == RowSource::own && spec.scores.empty() && scene)
      attempt(frame, [&](LayerAt in) { take_row(in.document, scene->results); });
    else
      spec.source = source;
  }
  if (scene && scene->spec.source == spec.source) {
    layer_controls(frame, column, *scene);
    key_controls(frame, column, *scene);
  }
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "add a key",
               .text = "add key",
               .tooltip = "with the score 0; a layer's row becomes your own"}))
    frame.commands.emplace_back("softmax.add_key");
  if (scene && spec.source == RowSource::layer &&
      row.add(
          {.id = "take row", .text = "take as your own", .tooltip = "these scores, apart from the layer"}))
    attempt(frame, [&](LayerAt in) { take_row(in.document, scene->results); });
}

void temperature_controls(Frame& frame, Column column) {
  SoftmaxSpec& spec = frame.draft.softmax;
  if (!foldable_section(frame, column,
                        {.title = "Temperature", .state = brief(spec.temperature), .open = true}))
    return;
  field_row(frame, column, "softmax", softmax_field::temperature, spec.temperature);
  const double shown = std::clamp(spec.temperature, kLeastCurve, kMostCurve);
  if (const auto wanted = number_track(frame, column, "softmax.temperature slider",
                                       softmax_field::temperature, shown, kLeastCurve, kMostCurve, true))
    set_temperature(spec, *wanted);
  ChipRow row(frame.theme, column.left, column.right);
  for (const auto& [id, temperature, tooltip] :
       {std::tuple{"T = 0", 0.0, "hard: all for the largest score, ties shared"},
        std::tuple{"T = 1", 1.0, "the scores as they are"}})
    if (row.add({.id = id, .text = id, .tooltip = tooltip, .on = spec.temperature == temperature}))
      spec.temperature = temperature;
}

void weighting_controls(Frame& frame, Column column) {
  SoftmaxSpec& spec = frame.draft.softmax;
  const std::string state = state_of(softmax_field::weightings, spec.weightings);
  if (!foldable_section(frame, column, {.title = "Instead of softmax", .state = state, .open = true})) return;
  ChipRow row(frame.theme, column.left, column.right);
  for (std::size_t i = 0; i < kWeightings.size(); ++i) {
    const WeightingText& text = kWeightings[i];
    const auto weighting = static_cast<Weighting>(i);
    if (row.add({.id = "weighting " + std::string(text.word),
                 .text = std::string(text.title),
                 .tooltip = std::string(text.title) + ": " + std::string(text.formula) + "\nadds up to " +
                            std::string(text.sum),
                 .on = std::ranges::count(spec.weightings, weighting) > 0}))
      toggle_weighting(spec, weighting);
  }
}

void number_controls(Frame& frame, Column column) {
  SoftmaxSpec& spec = frame.draft.softmax;
  const bool pairs = spec.summation == SumOrder::pairs;
  const std::string state =
      states({state_of(softmax_field::format, spec.format), spec.subtract_maximum ? "" : "without − max",
              pairs ? state_of(softmax_field::summation, spec.summation) : ""});
  if (!foldable_section(frame, column, {.title = "Numbers", .state = state})) return;
  ChipRow row(frame.theme, column.left, column.right);
  choice_chips(row, softmax_field::format, spec.format);
  if (row.add({.id = "without max",
               .text = "without − max",
               .tooltip = std::string(softmax_field::subtract_maximum.text.sentence),
               .on = !spec.subtract_maximum}))
    spec.subtract_maximum = !spec.subtract_maximum;
  if (row.add({.id = "by pairs",
               .text = "sums by pairs",
               .tooltip = std::string(softmax_field::summation.text.sentence),
               .on = pairs}))
    spec.summation = pairs ? SumOrder::in_order : SumOrder::pairs;
}

void product_controls(Frame& frame, Column column) {
  SoftmaxSpec& spec = frame.draft.softmax;
  const std::string state =
      states({state_of(softmax_field::width, spec.width), state_of(softmax_field::products, spec.products)});
  if (!foldable_section(frame, column, {.title = "Variance", .state = state})) return;
  field_row(frame, column, "softmax", softmax_field::width, spec.width);
  count_track(frame, column, "softmax.width slider", softmax_field::width, spec.width);
  field_row(frame, column, "softmax", softmax_field::pairs, spec.pairs);
  count_track(frame, column, "softmax.pairs slider", softmax_field::pairs, spec.pairs);
  field_row(frame, column, "softmax", softmax_field::row_keys, spec.row_keys);
  field_row(frame, column, "softmax", softmax_field::seed, spec.seed);
  ChipRow row(frame.theme, column.left, column.right);
  choice_chips(row, softmax_field::products, spec.products);
}

}  // namespace

void draw_softmax_controls(Frame& frame, Column column) {
  const auto scene = softmax_scene(frame);
  row_controls(frame, column, scene);
  temperature_controls(frame, column);
  weighting_controls(frame, column);
  number_controls(frame, column);
  product_controls(frame, column);
}

}  // namespace attn
