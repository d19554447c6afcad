// What code easily does wrong with heads, axes and positions: a row for each mistake that does something in
// this layer.
#include "app/canvas/edits.h"
#include "app/fields/field_states.h"
#include "app/frame/workspace.h"
#include "app/layer/layer_controls.h"
#include "core/attention/layer_fields.h"

namespace attn {
namespace {

bool compares_by_product(Scoring scoring) {
  return scoring == Scoring::dot || scoring == Scoring::general || scoring == Scoring::cosine;
}

template <class Visit>
void visit_mistakes(const LayerSpec& layer, Visit&& visit) {
  namespace f = layer_field;
  const bool several = head_count(layer) > 1, rotary = std::holds_alternative<Rotary>(layer.position);
  if (weighting_text(weighting_of(layer)).total != RowTotal::any)
    visit(f::softmax_over, &LayerSpec::softmax_over);
  if (compares_by_product(layer.scoring)) visit(f::key_turn, &LayerSpec::key_turn);
  if (several && !layer.direct) visit(f::head_split, &LayerSpec::head_split);
  if (several) visit(f::head_merge, &LayerSpec::head_merge);
  if (kv_head_count(layer) < head_count(layer)) visit(f::head_groups, &LayerSpec::head_groups);
  if (!std::holds_alternative<NoPosition>(layer.position))
    visit(f::position_twice, &LayerSpec::position_twice);
  if (rotary) visit(f::rope_on_values, &LayerSpec::rope_on_values);
  if (rotary && layer.qk_norm) visit(f::qk_norm_last, &LayerSpec::qk_norm_last);
}

template <class Choice, std::size_t N>
std::string made(const ChoiceField<Choice, N>& field, Choice choice) {
  return std::string(field.text.change) + std::string(field.word_of(choice));
}
std::string made(const SwitchField& field, bool) {
  return std::string(field.on);
}

// "softmax over heads + 1".
std::string mistakes_state(const LayerSpec& layer) {
  std::vector<std::string> names;
  visit_mistakes(layer, [&](const auto& field, auto member) {
    if (layer.*member != LayerSpec{}.*member) names.push_back(made(field, layer.*member));
  });
  return state_of_several(names);
}

}  // namespace

void draw_mistake_controls(Frame& frame, Column column) {
  if (!layer_section(frame, column, "Mistakes", mistakes_state)) return;
  visit_mistakes(LayerSpec(frame.layer()), [&](const auto& field, auto member) {
    const std::string id(field.text.key);
    auto value = frame.layer().*member;
    if (field_row(frame, column, "", field, value))
      attempt(frame, {.row = id}, [&](LayerAt in) {
        in.layer().*member = value;
        frame.workspace.build(in.document, kLayerA);
      });
    refusal(frame, column, id);
  });
}

}  // namespace attn
