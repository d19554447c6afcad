// The controls of the workspace of costs: the shape, what is counted, and the mechanisms.
#include <algorithm>

#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/fields/possible_row.h"
#include "app/fields/slider.h"
#include "app/widgets/chips.h"
#include "app/workspaces/cost/row.h"
#include "app/workspaces/cost/scene.h"
#include "core/cost/fields.h"

namespace attn {
namespace {

std::string source_of(const Preset& preset) {
  return std::string(preset.source) + "\n" + std::string(preset.published) + " parameters as published";
}

void preset_row(Frame& frame, Column column) {
  CostStudy& study = frame.draft.cost;
  std::vector<std::string> names, sources;
  std::size_t current = presets().size();
  const Preset* preset = preset_of(study);
  for (const Preset& each : presets()) {
    if (&each == preset) current = names.size();
    names.emplace_back(each.title), sources.push_back(source_of(each));
  }
  names.emplace_back("your own");
  const std::string says = preset ? source_of(*preset) : "a shape that was published, with its source";
  const auto chosen = choice_row(frame, column, {"cost.preset", "", says}, names, current, sources);
  if (chosen && *chosen < presets().size()) take_preset(study, presets()[*chosen]);
}

void tokens_rows(Frame& frame, Column column) {
  CostStudy& study = frame.draft.cost;
  field_row(frame, column, "cost", cost_field::n, study.n);
  const auto wanted = slider_row(
      frame, column, {"cost.n slider", "", std::string(cost_field::n.text.sentence)},
      {.value = static_cast<double>(study.n), .least = kFirstTokens, .most = kLastTokens, .log = true});
  if (wanted) take_tokens(study, *wanted);
}

void possible(Frame& frame, Column column, const CountField& about, std::size_t now, std::size_t most,
              const NextPossible& next, const std::function<void(std::size_t)>& use) {
  possible_row(frame, column, row_in("cost", about.text), {.value = now, .least = 1, .most = most}, next,
               use);
}

void width_rows(Frame& frame, Column column) {
  CostStudy& study = frame.draft.cost;
  possible(frame, column, cost_field::d, study.d, cost_field::d.most,
           multiples_of(study.heads, cost_field::d.most), [&](std::size_t d) { set_width(study, d); });
  possible(frame, column, cost_field::heads, study.heads, study.d, among(divisors(study.d)),
           [&](std::size_t heads) { set_heads(study, heads); });
  possible(frame, column, cost_field::kv_heads, study.kv_heads, study.heads, among(divisors(study.heads)),
           [&](std::size_t heads) { set_kv_heads(study, heads); });
  possible(frame, column, cost_field::feed_forward, spec_of(study, MechanismKind::full).inner_width(),
           cost_field::feed_forward.most, multiples_of(1, cost_field::feed_forward.most),
           [&](std::size_t width) { set_feed_forward(study, width); });
}

void shape_controls(Frame& frame, Column column) {
  CostStudy& study = frame.draft.cost;
  const Preset* preset = preset_of(study);
  const std::string state =
      states({preset ? std::string(preset->title) : "your own", "n " + std::to_string(study.n)});
  if (!foldable_section(frame, column, {.title = "Shape", .state = state, .open = true})) return;
  preset_row(frame, column);
  tokens_rows(frame, column);
  width_rows(frame, column);
  field_row(frame, column, "cost", cost_field::layers, study.layers);
  field_row(frame, column, "cost", cost_field::batch, study.batch);
  field_row(frame, column, "cost", cost_field::vocabulary, study.vocabulary);
  field_row(frame, column, "cost", cost_field::format, study.format);
  field_row(frame, column, "cost", cost_field::biases, study.biases);
  ChipRow row(frame.theme, column.left, column.right);
  const auto chip = [&](const SwitchField& about, bool& value) {
    const auto [id, title, sentence] = row_in("cost", about.text);
    switch_chip(row, {.id = id, .text = title, .tooltip = sentence}, value);
  };
  chip(cost_field::gated, study.gated);
  chip(cost_field::causal, study.causal);
}

void count_controls(Frame& frame, Column column) {
  CostStudy& study = frame.draft.cost;
  const std::string state = study.backward ? state_of(cost_field::backward, true) : "forward";
  if (!foldable_section(frame, column, {.title = "Count", .state = state})) return;
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add(
          {.id = "cost.forward", .text = "forward", .tooltip = "the forward pass", .on = !study.backward}))
    study.backward = false;
  if (row.add({.id = "cost.backward",
               .text = std::string(cost_field::backward.text.title),
               .tooltip = std::string(cost_field::backward.text.sentence),
               .on = study.backward}))
    study.backward = true;
}

void mechanism_controls(Frame& frame, Column column) {
  CostStudy& study = frame.draft.cost;
  std::vector<std::string> titles;
  for (const MechanismKind kind : study.mechanisms) titles.push_back(mechanism_title(study, kind));
  if (!foldable_section(frame, column,
                        {.title = "Mechanisms", .state = state_of_several(titles), .open = true}))
    return;
  {
    ChipRow row(frame.theme, column.left, column.right);
    for (std::size_t i = 0; i < cost_field::kMechanismTexts.size(); ++i) {
      const auto kind = static_cast<MechanismKind>(i);
      if (row.add({.id = "mechanism " + std::string(kMechanismWords[i]),
                   .text = mechanism_title(study, kind),
                   .tooltip = std::string(cost_field::kMechanismTexts[i].sentence),
                   .on = std::ranges::count(study.mechanisms, kind) > 0}))
        toggle_mechanism(study, kind);
    }
  }
  const auto has = [&](MechanismKind kind) { return std::ranges::count(study.mechanisms, kind) > 0; };
  if (has(MechanismKind::window)) field_row(frame, column, "cost", cost_field::window, study.window);
  if (has(MechanismKind::strided)) field_row(frame, column, "cost", cost_field::stride, study.stride);
}

}  // namespace

void draw_cost_controls(Frame& frame, Column column) {
  shape_controls(frame, column);
  count_controls(frame, column);
  mechanism_controls(frame, column);
  measure_controls(frame, column);
}

}  // namespace attn
