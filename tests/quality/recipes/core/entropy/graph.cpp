// The layer's stages, and behind them a part for each temperature.
#include "core/entropy/graph.h"

#include <cmath>

#include "core/attention/layer.h"
#include "core/text/text.h"

namespace attn {
namespace {

// What the parts of all temperatures are made from.
struct EntropyBuilder {
  Graph& graph;
  const LayerSpec& layer;
  ScoreRows scores;      // as the layer's weights are made from them
  StageIndex share = 0;  // 1×1×n: what each query counts in the mean
  EntropyPlaces places = {};

  // Of the scores, never drawn, to be completed.
  Stage made(std::string id, std::string title, std::string formula, Operation operation,
             std::vector<StageIndex> inputs, std::string sentence) const {
    return {.id = std::move(id),
            .title = std::move(title),
            .formula = std::move(formula),
            .operation = std::move(operation),
            .inputs = std::move(inputs),
            .rows = scores.rows,
            .columns = {},
            .role = Role::statistic,
            .drawn = Drawn::never,
            .stack = Stack::heads,
            .sentence = std::move(sentence)};
  }
};

// The layer's own weighting, of its scores divided by T.
void append_temperature(EntropyBuilder& b, double temperature) {
  const std::string t = brief(temperature), at = " at temperature " + t;
  b.graph.begin_part({.prefix = "t" + std::to_string(b.places.temperatures.size()) + ".", .title = "T " + t});
  Stage tempered = b.made("tempered", "scores ÷ T", "score ÷ " + t, Scale{1 / temperature, "1/" + t},
                          {b.scores.scores}, "the score of %c for %r" + at);
  tempered.columns = b.scores.columns, tempered.mask = b.scores.mask, tempered.role = Role::score;
  ScoreRows rows = b.scores;
  rows.scores = b.graph.add(std::move(tempered));
  const WeightingStages made = append_weighting(b.graph, b.layer.weighting, rows);
  for (const StageIndex stage : made.all()) b.graph.stages[stage].drawn = Drawn::never;
  const StageIndex entropy =
      b.graph.add(b.made("entropy", "entropy", "−Σ a·ln a", RowStatistic{RowFigure::entropy}, {made.weights},
                         "how evenly %r shares its weight out" + at + ", in nats"));
  Stage mean = b.made("mean_entropy", "mean entropy", "Σ over queries ÷ n", MatMul{}, {b.share, entropy},
                      "the mean entropy of head %h" + at);
  mean.rows = {};
  b.places.temperatures.push_back(static_cast<float>(temperature));
  b.places.entropy.push_back(b.graph.add(std::move(mean)));
}

}  // namespace

Built build_entropy(const Document& document, Address address) {
  Built built = build_layer(document, address);
  const LayerStages& stages = *built.places.as<LayerStages>();
  const Stage& weights = built.graph.stages[stages.weights];
  EntropyBuilder b{.graph = built.graph,
                   .layer = document.layer(address),
                   .scores = {.scores = weights.scores.value_or(stages.scores),
                              .rows = weights.rows,
                              .columns = weights.columns,
                              .mask = weights.mask,
                              .empty_row = document.layer(address).empty_row}};
  const std::size_t n = weights.shape.rows;
  const Tensor shares({1, 1, n}, std::vector<float>(n, 1 / static_cast<float>(n)));
  Stage share =
      b.made("share_of_query", "1/n", "1 ÷ n", Source{shares}, {}, "what each query counts in the mean");
  share.rows = {}, share.stack = Stack::joined, share.traced = false;
  b.share = b.graph.add(std::move(share));
  const EntropySpec& spec = document.entropy;
  const double ratio = std::pow(spec.to / spec.from, 1 / static_cast<double>(spec.samples - 1));
  for (std::size_t i = 0; i < spec.samples; ++i)
    append_temperature(b, spec.from * std::pow(ratio, static_cast<double>(i)));
  return {std::move(built.graph), Places(b.places)};
}

}  // namespace attn
