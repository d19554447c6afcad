// A layer's last stages: values mixed by the weights, the heads side by side, times W_O.
#include <algorithm>

#include "core/attention/layer_builder.h"
#include "core/attention/layer_fields.h"

namespace attn {
namespace {

namespace field = layer_field;

bool has_projection(const LayerSpec& layer) {
  return !layer.direct && !layer.w_o.empty();
}

// The heads' outputs become something else: several heads side by side, W_O, a muted head, an override.
bool merges(const LayerBuilder& b) {
  const auto is_output = [&](const StageOverride& o) { return is_over(o, b.place.prefix + "output"); };
  return has_projection(b.layer) || !b.layer.muted_heads.empty() || head_count(b.layer) > 1 ||
         std::ranges::any_of(b.graph.overrides, is_output);
}

Stage output(const LayerBuilder& b, std::string id, std::string title, std::string words, Operation operation,
             std::vector<StageIndex> inputs, std::string sentence) {
  return {.id = std::move(id),
          .title = std::move(title),
          .formula = std::move(words),
          .operation = std::move(operation),
          .inputs = std::move(inputs),
          .rows = b.queries,
          .columns = b.feature,
          .role = Role::output,
          .sentence = std::move(sentence)};
}

StageIndex append_head_output(LayerBuilder& b, StageIndex weights) {
  const char* title = merges(b) ? "head output" : "output";
  b.begin_step(title, "values mixed by the weights");
  Stage heads = output(b, "head_output", title, "weights · V", MatMul{.in_blocks = true},
                       {weights, b.places.v}, "feature %j of what %r collected in head %h");
  heads.stack = Stack::heads;
  b.places.head_output = append_relative_output(b, weights, std::move(heads));
  const bool turned = b.layer.rope_on_values && std::holds_alternative<Rotary>(b.layer.position);
  b.formula.push_back({turned ? "·RV" : "V", {b.places.v, b.places.head_output}});
  return b.places.head_output;
}

}  // namespace

// Without W_O the output is the heads side by side: the same operation on the same input, found, not
// repeated.
void append_merged(LayerBuilder& b, StageIndex head_output) {
  const bool projects = has_projection(b.layer);
  if (merges(b))
    b.begin_step("output", projects ? "the heads side by side, times W_O" : "the heads side by side");
  head_output = append_muted(b, head_output);
  const Operation merge = merging(b, head_output);
  const bool viewed = b.layer.head_merge == HeadCut::memory;
  Stage merged =
      output(b, "concat", "concat", viewed ? "heads in memory, viewed as rows" : "heads side by side", merge,
             {head_output}, "column %j of what all heads collected for %r");
  if (!projects) merged.drawn = Drawn::never;
  const StageIndex side_by_side = b.add(std::move(merged));
  Stage last =
      output(b, "output", "output", "the heads' outputs", merge, {head_output}, "feature %j of the new %r");
  if (!merges(b)) last.drawn = Drawn::never;
  if (projects) {
    b.places.w_o = b.given(field::w_o, b.layer.w_o, b.feature, b.feature);
    last.inputs = {side_by_side, *b.places.w_o};
    if (!b.layer.b_o.empty()) last.inputs.push_back(b.given(field::b_o, b.layer.b_o, {}, b.feature));
    last.formula = std::string("concat · W_O") + (b.layer.b_o.empty() ? "" : " + b");
    last.operation = Project{1};
  }
  last.symbol = "O";
  b.places.output = b.add(last);
  if (projects) b.formula.push_back({"W_O", {side_by_side, last.inputs[1], b.places.output}});
}

void append_output(LayerBuilder& b, StageIndex weights) {
  append_merged(b, append_head_output(b, weights));
}

}  // namespace attn
