// A layer whose scores and weights are never made: features of queries meet a state of all keys and values.
#include "core/attention/layer_linear.h"

#include <cmath>

#include "core/attention/layer_builder.h"
#include "core/operations/linear_attention.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char* kTakesMasks = "; it takes causal masks and padding of one length, joined by OR";

// What a mask does that a state of the first keys cannot.
std::string mask_obstacle(const LayerSpec& layer) {
  if (!layer.mask.empty()) return "a painted mask hides single keys";
  if (leaves_first_keys(layer.masks)) return {};
  for (const MaskTerm& term : layer.masks) {
    const std::string mask = titled("mask", name(term.rule));
    if (term.negated) return mask + " is negated" + kTakesMasks;
    if (const auto* padding = std::get_if<PaddingRule>(&term.rule); padding && padding->lengths.size() > 1)
      return mask + " has a length for each query" + kTakesMasks;
    if (!leaves_first_keys({{.rule = term.rule}}))
      return mask + " does not leave the first keys" + kTakesMasks;
  }
  return std::string("masks are joined by AND") + kTakesMasks;
}

// What is added to scores or done to them: there are none.
std::string score_obstacle(const LayerSpec& layer) {
  if (!layer.bias.empty()) return "a given bias is added to each score";
  if (layer.soft_cap > 0) return "a soft cap bends each score";
  if (std::holds_alternative<Alibi>(layer.position)) return "ALiBi adds to each score";
  if (std::holds_alternative<T5Bias>(layer.position)) return "T5 positions add to each score";
  return {};
}

LinearAttention linear_of(const LayerSpec& layer) {
  return {.masks = layer.masks, .first = first_place(layer.masks, query_count(layer), key_count(layer))};
}

// The first query sees the fewest keys.
bool has_empty_rows(const LayerSpec& layer) {
  return query_count(layer) > 0 && keys_seen(linear_of(layer), 0, query_count(layer), key_count(layer)) == 0;
}

const char* feature_words(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::elu_plus_one:
      return "elu(x) + 1";
    case FeatureKind::relu:
      return "max(0, x)";
    case FeatureKind::random:
      break;
  }
  return "exp(w·x − ‖x‖²/2) ÷ √R";
}

// The directions of random features, as many for every head.
StageIndex append_directions(LayerBuilder& b, const LinearRequest& request) {
  const std::size_t width = b.graph.stages[b.places.q].shape.columns;
  const LearnedTable normals{.length = width, .columns = request.count, .seed = request.seed, .rows = width};
  Stage directions = drawn_table("features", "directions", normals, b.feature, {"direction"},
                                 "how far direction %j of the random features goes along feature %i");
  directions.symbol = "w", directions.stack = Stack::shared;
  return b.add(std::move(directions));
}

struct FeatureStages {
  StageIndex q = 0, k = 0;
};

FeatureStages append_features(LayerBuilder& b, const LinearRequest& request) {
  const bool random = request.kind == FeatureKind::random;
  b.begin_step("φ", "queries and keys become features whose products stand in for exp(score)");
  FeatureMap op{.kind = request.kind};
  std::vector<StageIndex> inputs{0};
  std::vector<StageNumber> numbers;
  std::string words = feature_words(request.kind);
  if (random) {
    const Scale scale = score_scale(b.layer, b.graph.stages[b.places.q].shape.columns);
    if (scale.factor < 0)
      throw Error("random features are of queries and keys multiplied by √scale, and the scale " +
                  number_words(scale.factor) + " has no root");
    op.scale = std::sqrt(scale.factor);
    words += ", x scaled by √(" + scale.text + ")";
    if (scale.factor > 0) numbers = scale_numbers(b.layer, scale);
    for (StageNumber& number : numbers) number.slope /= 2 * op.scale;  // of its root
    inputs.push_back(append_directions(b, request));
  }
  const auto append = [&](StageIndex from, const char* id, const char* title, const char* whose) {
    inputs[0] = from;
    Stage features = b.made_from(from, id, title, words, op, inputs,
                                 std::string("feature %j that the map makes of the ") + whose + " of %r");
    features.columns = {random ? "direction" : "feature"};
    features.numbers = numbers;
    return b.add(std::move(features));
  };
  const StageIndex q = append(b.places.q, "phi_q", "φ(Q)", "query");
  return {q, append(b.places.k, "phi_k", "φ(K)", "key")};
}

// Of the keys that the last query sees, which are all that any does.
void append_state(LayerBuilder& b, StageIndex phi_k, const LinearAttention& op, std::size_t columns) {
  const LinearState all{keys_seen(op, b.sizes.queries - 1, b.sizes.queries, b.sizes.keys)};
  const Axis features = b.graph.stages[phi_k].columns;
  const auto of_state = [&](const char* id, const char* title, const char* words, Operation operation,
                            std::vector<StageIndex> inputs, const char* sentence) {
    Stage stage =
        b.made_from(b.places.v, id, title, words, std::move(operation), std::move(inputs), sentence);
    stage.rows = features;
    return stage;
  };
  b.begin_step("state", "what a recurrent network would carry after the last key");
  Stage both = of_state("state_and_sum", "state and its sum", "Σ φ(k)·[vᵀ 1]", all, {phi_k, b.places.v},
                        "what feature %i has gathered of the values, last of the keys");
  both.traced = false;
  const StageIndex from = b.add(std::move(both));
  b.add(of_state("state", "S", "Σ φ(k)·vᵀ", TakeColumns{0, columns}, {from},
                 "what feature %i has gathered of feature %j of the values"));
  Stage sum = of_state("state_sum", "Σ φ(k)", "Σ φ(k)", TakeColumns{columns, 1}, {from},
                       "how much of feature %i all keys have");
  sum.columns = {}, sum.role = Role::statistic;
  b.add(std::move(sum));
}

}  // namespace

std::string linear_obstacle(const LayerSpec& layer) {
  for (std::string obstacle : {pairwise_obstacle(layer), score_obstacle(layer), mask_obstacle(layer)})
    if (!obstacle.empty()) return obstacle;
  if (const Weighting weighting = weighting_of(layer); weighting != Weighting::softmax)
    return titled("weighting", weighting_text(weighting).word) +
           " is not the softmax that features stand for";
  if (layer.empty_row != EmptyRow::zeros && has_empty_rows(layer))
    return "rows without a key are to become something else than 0";
  return {};
}

LayerStages append_linear_layer(Graph& graph, const LayerSpec& layer, const LinearRequest& request) {
  check_layer(layer);
  if (const std::string obstacle = linear_obstacle(layer); !obstacle.empty())
    throw Error("linear attention cannot compute this layer: " + obstacle);
  graph.begin_part({});
  const LayerPlace place;
  LayerBuilder b(graph, layer, place);
  append_inputs(b);
  b.places.k = append_turned_keys(b, b.places.k);
  const LinearAttention op{.masks = layer.masks, .first = b.sizes.first};
  const std::size_t columns = graph.stages[b.places.v].shape.columns;
  const FeatureStages phi = append_features(b, request);
  append_state(b, phi.k, op, columns);
  const StageIndex first = graph.stages.size();
  b.begin_step("linear", "features of queries meet the state: no score is made");
  Stage linear = b.of_heads("linear", "φ(Q)·S ÷ φ(Q)·Σ φ(k)", op, {phi.q, phi.k, b.places.v},
                            "feature %j of what %r collected in head %h, last what it was divided by");
  linear.traced = false;
  const StageIndex both = b.add(std::move(linear));
  b.places.head_output = b.add(b.of_heads("head_output", "φ(Q)·S ÷ φ(Q)·Σ φ(k)", TakeColumns{0, columns},
                                          {both}, "feature %j of what %r collected in head %h"));
  append_merged(b, b.places.head_output);
  // A query whose features are 0 on all that the keys have there is divided by 0: it has no output.
  for (StageIndex i = first; i < graph.stages.size(); ++i)
    graph.stages[i].gaps = graph.stages[i].role == Role::output;
  graph.parts.back().layer_end = graph.stages.size();
  return b.places;
}

}  // namespace attn
