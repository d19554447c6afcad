// A layer's local attention (Luong, Pham, Manning 2015): where each query looks, the keys that are too far
// from there, and the weights as they fall off around it.
//
// Stages of predicted centres: local_hidden, local_tanh, local_sum, centre; behind the weights local_weights.
// What is hidden is local_mask, made of the layer's other masks and the distance.
#include "core/attention/layer_builder.h"
#include "core/attention/layer_fields.h"
#include "core/attention/scoring_parameters.h"

namespace attn {
namespace {

// A step of the centres, from queries.
Stage centre_step(const LayerBuilder& b, std::string id, std::string title, std::string words,
                  Operation operation, std::vector<StageIndex> inputs, std::string sentence) {
  Stage stage = b.made_from(b.places.q, std::move(id), std::move(title), std::move(words),
                            std::move(operation), std::move(inputs), std::move(sentence));
  stage.drawn = Drawn::inside;
  return stage;
}

StageIndex add_number(LayerBuilder& b, Stage stage) {
  stage.columns = {}, stage.role = Role::statistic;
  return b.add(std::move(stage));
}

std::string reach_words(const LayerBuilder& b) {
  return std::to_string(b.layer.local_reach);
}

}  // namespace

// Of the queries that the scores are made of, normed and rotated where the layer does that.
void append_centres(LayerBuilder& b) {
  const StageIndex q = b.places.q;
  const std::size_t width = b.graph.stages[q].shape.columns;
  const std::vector<ScoreParameter> parameters = local_parameters(b.layer, width);
  if (parameters.empty()) return;
  check_local_parameters(b.layer, width);
  b.begin_step("W_p q", "queries times W_p: on the way to where each of them looks");
  const StageIndex w = b.parameter(parameters[0]), v = b.parameter(parameters[1]);
  const MatMul rows{.transpose_right = true};
  const StageIndex hidden = b.add(centre_step(b, "local_hidden", "W_p q", "rows times W_p transposed", rows,
                                              {q, w}, "hidden feature %j of where %r looks"));
  b.begin_step("tanh(W_p q)", "each bent to between −1 and 1");
  const StageIndex bent = b.add(centre_step(b, "local_tanh", "tanh(W_p q)", "tanh", Tanh{}, {hidden},
                                            "hidden feature %j of where %r looks, bent by tanh"));
  b.begin_step("v_p", "times v_p: one number a query");
  const StageIndex sum = add_number(b, centre_step(b, "local_sum", "v_p·tanh(W_p q)", "rows times v_p", rows,
                                                   {bent, v}, "where %r looks, before the sigmoid"));
  b.begin_step("centre", "the place among the keys around which each query looks");
  const StageIndex centre = add_number(
      b, centre_step(b, "centre", "centre", "m·σ(v_p·tanh(W_p q)), m the keys", LocalCentre{b.sizes.keys},
                     {sum}, "the place among the keys around which %r looks"));
  b.centre = centre;
  const bool late = b.layer.mask_at == MaskAt::after;
  b.formula.push_back({late ? "· [|j − p| ≤ D]" : "+ |j − p| ≤ D", {w, hidden, bent, v, sum, centre}});
}

StageIndex append_local_mask(LayerBuilder& b, std::optional<StageIndex> rules, const std::string& words) {
  std::vector<StageIndex> inputs;
  if (b.centre) inputs.push_back(*b.centre);
  if (rules) inputs.push_back(*rules);
  Operation operation = LocalMask{b.layer.local_reach, b.sizes.keys};
  if (!b.centre) {
    // The centre of a query is its own place: a window, which no global token opens.
    Mask window = b.sizes;
    window.rules = {{.rule = WindowRule{b.layer.local_reach}}};
    operation = std::move(window);
  }
  Stage stage = b.pair("local_mask", words, std::move(operation), std::move(inputs),
                       "whether %c is hidden from %r, by its distance from the centre or else: 1 = masked");
  stage.title = "local mask";
  stage.role = Role::mask, stage.range = Range::mask, stage.drawn = Drawn::never;
  if (!b.centre) stage.stack = Stack::shared;
  return b.add(std::move(stage));
}

StageIndex append_decay(LayerBuilder& b, StageIndex weights) {
  if (!b.centre) return weights;
  b.begin_step("local weights", "the farther a key from the centre, the less is left of its weight");
  Stage near = b.pair("local_weights", "weights · exp(−(j − centre)² ÷ 2(D/2)²), D = " + reach_words(b),
                      LocalDecay{b.layer.local_reach}, {weights, *b.centre},
                      "how much of %c goes into %r, by its distance from the centre");
  near.title = "local weights";
  const Stage& from = b.graph.stages[weights];
  near.role = Role::weights, near.range = Range::unit, near.mask = b.places.mask, near.scores = from.scores;
  near.row_total = from.row_total == RowTotal::any ? RowTotal::any : RowTotal::below_one;
  const StageIndex result = b.add(std::move(near));
  b.formula.push_back({"· exp(−(j − p)² / 2(D/2)²)", {*b.centre, result}});
  return result;
}

}  // namespace attn
