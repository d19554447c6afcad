// The controls of the workspace of gradients.
#include <algorithm>
#include <cmath>

#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/layer/layer_controls.h"
#include "app/workspaces/gradients/row.h"
#include "app/workspaces/gradients/scene.h"
#include "core/attention/layer_fields.h"
#include "core/gradients/fields.h"
#include "core/gradients/what_if.h"
#include "core/text/text.h"

namespace attn {
namespace {

void head_row(Frame& frame, Column column) {
  const std::size_t heads = head_count(frame.layer());
  std::vector<std::string> names;
  for (std::size_t head = 0; head < heads; ++head)
    names.push_back(std::to_string(head) + " of " + std::to_string(heads));
  std::size_t& now = frame.view.layer.head;
  const FieldRow row{"gradients.head", "head",
                     "whose scores and weights are shown; dX and dW add up those of all heads"};
  if (const auto chosen = choice_row(frame, column, row, names, std::min(now, heads - 1))) now = *chosen;
}

void shown_layer_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  const bool causal = find_rule<CausalRule>(layer) != nullptr, scaled = layer.scale.mode == ScaleMode::sqrt;
  const std::string state = states({causal ? "causal" : "", scaled ? "1/√d_k" : ""});
  if (!foldable_section(frame, column, {.title = "Layer", .state = state, .open = true})) return;
  head_row(frame, column);
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "gradients.causal",
               .text = "causal",
               .tooltip = std::string(mask_rule_text(CausalRule{}).sentence),
               .on = causal}))
    set_rule(layer, causal ? std::nullopt : std::optional(CausalRule{}));
  if (row.add({.id = "gradients.scale",
               .text = "scale 1/√d_k",
               .tooltip = std::string(layer_field::scale.text.sentence),
               .on = scaled}))
    layer.scale.mode = scaled ? ScaleMode::none : ScaleMode::sqrt;
}

void what_if_controls(Frame& frame, Column column) {
  namespace f = gradients_field;
  GradientsSpec& spec = frame.draft.gradients;
  std::vector<std::string> on;
  for (const WhatIf what : what_ifs_of(spec)) on.emplace_back(title_of(what));
  if (!foldable_section(frame, column, {.title = "What if", .state = state_of_several(on), .open = true}))
    return;
  ChipRow row(frame.theme, column.left, column.right);
  gradients_chip(row, f::scale_off, spec.scale_off);
  gradients_chip(row, f::cold, spec.cold);
  gradients_chip(row, f::no_mask, spec.no_mask);
  gradients_chip(row, f::large_inputs, spec.large_inputs);
  const auto compare = std::ranges::find(frame.table, kCompareWhatIf, &Command::name);
  if (compare != frame.table.end() &&
      row.add({.id = compare->name, .text = compare->title, .tooltip = compare->says}))
    frame.commands.push_back(compare->name);
}

void show_controls(Frame& frame, Column column) {
  namespace f = gradients_view_field;
  GradientsView& view = frame.view.of<GradientsView>();
  GradientsSpec& spec = frame.draft.gradients;
  std::vector<std::string> on;
  const auto note = [&](const SwitchField& field, bool shown) {
    if (shown) on.emplace_back(field.text.title);
  };
  note(f::numbers, view.numbers), note(f::weights, view.weights);
  note(gradients_field::times_number, spec.times_number);
  note(f::logarithmic, view.logarithmic), note(f::own_range, view.own_range);
  if (!foldable_section(frame, column, {.title = "Show", .state = state_of_several(on), .open = true}))
    return;
  ChipRow row(frame.theme, column.left, column.right);
  gradients_chip(row, f::numbers, view.numbers);
  gradients_chip(row, f::weights, view.weights);
  gradients_chip(row, gradients_field::times_number, spec.times_number);
  gradients_chip(row, f::logarithmic, view.logarithmic);
  gradients_chip(row, f::own_range, view.own_range);
}

// "1/20" of 0.05: a number that divides 1.
std::string as_fraction(double value) {
  const double divisor = std::round(1 / value);
  const bool divides = value < 1 && std::abs(1 / value - divisor) <= 1e-9 * divisor;
  return divides ? "1/" + brief(divisor) : brief(value);
}

void threshold_row(Frame& frame, Column column, const NumberField& field, double& value) {
  const FieldRow row = row_in("gradients", field.text);
  NumberBox box = box_of(field, value);
  box.shown = as_fraction(value);
  if (const auto wanted = number_row(frame, column, row, box)) value = *wanted;
  refusal(frame, column, row.id);
}

void threshold_controls(Frame& frame, Column column) {
  namespace f = gradients_view_field;
  GradientsView& view = frame.view.of<GradientsView>();
  const std::string state = as_fraction(view.vanishing) + " … " + brief(view.exploding);
  if (!foldable_section(frame, column, {.title = "Named by size", .state = state, .open = true})) return;
  threshold_row(frame, column, f::vanishing, view.vanishing);
  threshold_row(frame, column, f::exploding, view.exploding);
  hint(frame, column, "norms, as parts of that of dO");
}

}  // namespace

void gradients_chip(ChipRow& row, const SwitchField& field, bool& on) {
  switch_chip(row,
              {.id = "gradients." + std::string(field.text.key),
               .text = std::string(field.text.title),
               .tooltip = std::string(field.text.sentence)},
              on);
}

void draw_gradients_controls(Frame& frame, Column column) {
  draw_loss_controls(frame, column);
  shown_layer_controls(frame, column);
  what_if_controls(frame, column);
  show_controls(frame, column);
  threshold_controls(frame, column);
  draw_proof_controls(frame, column);
  draw_attention_controls(frame, column);
}

}  // namespace attn
