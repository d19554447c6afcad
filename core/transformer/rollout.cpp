// Rollout (Abnar, Zuidema 2020): Ā_L ··· Ā_1, Ā = ½ A_mean over heads + ½ I, rows renormalised.
#include "core/transformer/builder.h"

namespace attn {
namespace {

// The weights of a block's attention to its own side; none where it is off.
std::optional<StageIndex> weights_of(const BlockStages& block) {
  const BoxStages* box = block.find(StackBox::attention);
  return box && box->layer ? std::optional(box->layer->weights) : std::nullopt;
}

struct RolloutBuilder {
  Graph& graph;
  const Stage like;  // of the weights
  std::size_t count = 0;

  // Only read by others.
  StageIndex hidden(const char* what, Operation operation, std::vector<StageIndex> inputs) {
    Stage stage = like;
    stage.id = std::string(what) + std::to_string(count++), stage.title = what, stage.formula = "";
    stage.operation = std::move(operation), stage.inputs = std::move(inputs);
    stage.traced = false, stage.drawn = Drawn::never, stage.role = Role::plain, stage.mask = {};
    stage.stack = Stack::joined, stage.scores = {}, stage.row_total = RowTotal::any;
    return graph.add(std::move(stage));
  }
  // ½ A + ½ I, rows renormalised: those of a query that sees no key keep all of themselves.
  StageIndex with_itself(StageIndex weights, StageIndex self) {
    const StageIndex mean = graph.stages[weights].shape.stack > 1
                                ? hidden("mean_", AcrossHeads{AcrossHeads::mean}, {weights})
                                : weights;
    const StageIndex both = hidden("both_", Add{}, {mean, self});
    return hidden("mixed_", Normalize{}, {both, hidden("total_", RowSum{}, {both})});
  }
};

std::optional<StageIndex> append_rollout(Graph& graph, const SideStages& side, const std::string& prefix) {
  std::vector<StageIndex> weights;
  for (const BlockStages& block : side.blocks)
    if (const auto found = weights_of(block)) weights.push_back(*found);
  if (weights.empty()) return std::nullopt;
  const std::size_t n = graph.stages[weights.front()].shape.rows;
  if (n > kMostRolloutTokens) return std::nullopt;
  graph.begin_part({.prefix = prefix + "rollout_", .title = "rollout"});
  RolloutBuilder b{graph, graph.stages[weights.front()]};
  std::vector<float> identity(n * n);
  for (std::size_t i = 0; i < n; ++i) identity[i * n + i] = 1;
  const StageIndex self = b.hidden("self_", Source{Tensor({1, n, n}, std::move(identity))}, {});
  StageIndex product = b.with_itself(weights.front(), self);
  for (std::size_t i = 1; i < weights.size(); ++i)
    product = b.hidden("product_", MatMul{}, {b.with_itself(weights[i], self), product});
  graph.begin_part({.prefix = prefix, .title = "rollout"});
  return graph.add({.id = "rollout",
                    .title = "rollout",
                    .formula = "A_L ··· A₁, each ½ A + ½ I",
                    .operation = Reshape{graph.stages[product].shape},
                    .inputs = {product},
                    .rows = b.like.rows,
                    .columns = b.like.columns,
                    .range = Range::unit,
                    .sentence = "how much of %c has come to %r through all layers",
                    .row_total = RowTotal::one});
}

}  // namespace

void append_rollouts(Graph& graph, StackStages& stages) {
  if (stages.encoder) stages.rollout = append_rollout(graph, *stages.encoder, "");
  if (!stages.decoder) return;
  if (stages.encoder)
    stages.decoder_rollout = append_rollout(graph, *stages.decoder, "decoder.");
  else
    stages.rollout = append_rollout(graph, *stages.decoder, "");
}

}  // namespace attn
