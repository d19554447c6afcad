// The controls of the workspace of efficient attention.
#include <algorithm>

#include "app/fields/field_states.h"
#include "app/layer/layer_controls.h"
#include "app/workspaces/efficient/row.h"
#include "app/workspaces/efficient/scene.h"
#include "core/attention/mask_fields.h"

namespace attn {
namespace {

void shown_head_row(Frame& frame, Column column) {
  const std::size_t heads = head_count(frame.layer());
  std::vector<std::string> names;
  for (std::size_t head = 0; head < heads; ++head)
    names.push_back(std::to_string(head) + " of " + std::to_string(heads));
  std::size_t& now = frame.view.layer.head;
  const FieldRow row{"efficient.head", "head", "whose scores the tiles and the roads are of"};
  if (const auto chosen = choice_row(frame, column, row, names, std::min(now, heads - 1))) now = *chosen;
}

void mask_chip(ChipRow& row, LayerSpec& layer, const MaskRule& rule, const char* name, bool on) {
  const std::string prefix = "efficient.";
  if (row.add({.id = prefix + name,
               .text = name,
               .tooltip = std::string(mask_rule_text(rule).sentence),
               .on = on}))
    toggle_rule(layer, rule.index());
}

// Which layer is here, and how much of it.
void draw_shown_layer(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  const bool causal = find_rule<CausalRule>(layer) != nullptr;
  const bool padding = find_rule<PaddingRule>(layer) != nullptr;
  const std::string state = states({causal ? "causal" : "", padding ? "padding" : ""});
  if (!foldable_section(frame, column, {.title = "Layer", .state = state, .open = true})) return;
  const auto scene = efficient_scene(frame);
  const std::size_t of = scene ? scene->places().tokens_of : 0;
  if (of > 0)
    hint(frame, column,
         "the layer of the Pipeline: its first " + std::to_string(efficient_field::kMostShownTokens) +
             " tokens of " + std::to_string(of));
  else
    hint(frame, column, "the layer of the Pipeline, " + std::to_string(query_count(layer)) + " tokens");
  shown_head_row(frame, column);
  ChipRow row(frame.theme, column.left, column.right);
  mask_chip(row, layer, CausalRule{}, "causal", causal);
  mask_chip(row, layer, PaddingRule{}, "padding", padding);
}

}  // namespace

void draw_efficient_controls(Frame& frame, Column column) {
  draw_shown_layer(frame, column);
  draw_road_controls(frame, column);
  draw_tile_controls(frame, column);
  draw_linear_controls(frame, column);
  draw_measure_controls(frame, column);
  draw_attention_controls(frame, column);
}

}  // namespace attn
