// The layer's stages, and behind them those of its heads.
#include "core/heads/graph.h"

#include <algorithm>

#include "core/document/document.h"
#include "core/document/layer_plan.h"
#include "core/heads/plan.h"
#include "core/heads/rules.h"

namespace attn {
namespace {

struct HeadsBuilder {
  Graph& graph;
  const Document& document;
  const LayerSpec& spec;
  LayerStages layer = {};
  HeadsPlaces places = {};

  const Stage& weights() const { return graph.stages[layer.weights]; }
  // Of the heads' weights, to be completed.
  Stage made(std::string id, std::string title, std::string formula, Operation operation,
             std::vector<StageIndex> inputs, std::string sentence) const {
    return {.id = std::move(id),
            .title = std::move(title),
            .formula = std::move(formula),
            .operation = std::move(operation),
            .inputs = std::move(inputs),
            .rows = weights().rows,
            .columns = {},
            .role = Role::statistic,
            .drawn = Drawn::inside,
            .stack = Stack::heads,
            .sentence = std::move(sentence),
            .step = weights().step};
  }
  // Only read by others.
  StageIndex hidden(std::string id, Operation operation, std::vector<StageIndex> inputs) {
    Stage stage = made(id, id, "", std::move(operation), std::move(inputs), "");
    stage.traced = false, stage.drawn = Drawn::never, stage.role = Role::plain;
    return graph.add(std::move(stage));
  }
};

void append_entropy(HeadsBuilder& b) {
  const StageIndex weights = b.layer.weights;
  b.places.entropy = b.graph.add(b.made("entropy", "entropy", "−Σ a·ln a", RowStatistic{RowFigure::entropy},
                                        {weights}, "how evenly %r shares its weight out, in nats"));
  const std::size_t n = b.weights().shape.rows;
  const StageIndex ones = b.hidden("every_query", Source{Tensor({1, 1, n}, std::vector<float>(n, 1.0f))}, {});
  Stage columns = b.made("column_sums", "column sums", "Σ over queries", MatMul{}, {ones, weights},
                         "how much weight %c gets from all queries");
  columns.rows = {}, columns.columns = b.weights().columns;
  b.places.columns = b.graph.add(std::move(columns));
}

// Equal weights on all keys that the mask leaves.
StageIndex equal_weights(HeadsBuilder& b) {
  const Shape shape = b.weights().shape;
  const auto mask = b.weights().mask;
  const std::size_t stack = mask ? b.graph.stages[*mask].shape.stack : 1;
  const Shape of{stack, shape.rows, shape.columns};
  StageIndex scores = b.hidden("no_scores", Source{Tensor(of, std::vector<float>(of.size()))}, {});
  if (mask) scores = b.hidden("visible", MaskFill{}, {scores, *mask});
  const StageIndex ones = b.hidden("visible_ones", Exponential{}, {scores});
  return b.hidden("equal_weights", Normalize{}, {ones, b.hidden("visible_keys", RowSum{}, {ones})});
}

Labels key_tokens(const HeadsBuilder& b) {
  const auto& labels = b.weights().columns.labels;
  return labels && labels->size() == b.weights().shape.columns ? *labels : Labels();
}

void append_shares(HeadsBuilder& b) {
  const Shape shape = b.weights().shape;
  if (shape.rows * shape.columns > kMostNamed) return;
  const LayerSpec& spec = b.spec;
  const bool same = spec.direct ? spec.memory_tokens.empty() : spec.memory.empty();
  const StageIndex patterns = b.hidden(
      "patterns",
      Source{head_patterns(shape.rows, shape.columns, b.document.heads.nearby, same, key_tokens(b))}, {});
  Labels titles;
  for (std::size_t p = 0; p < kPatterns; ++p) titles.emplace_back(kHeadRules[p].title);
  Stage shares = b.made("rule_shares", "weight by rule", "Σ of the weights there", PatternShare{},
                        {b.layer.weights, patterns}, "the weight of %r on %c, in head %h");
  shares.columns = {
      .name = "rule", .labels = std::make_shared<const Labels>(std::move(titles)), .words = true};
  shares.range = Range::positive;
  b.places.shares = b.graph.add(std::move(shares));
  const StageIndex equal = equal_weights(b);
  b.places.chance = b.hidden("chance", PatternShare{}, {equal, patterns});
  b.places.most_entropy = b.hidden("most_entropy", RowStatistic{RowFigure::entropy}, {equal});
}

void append_likeness(HeadsBuilder& b) {
  const HeadLikeness::Measure measure = b.document.heads.measure;
  Stage likeness =
      b.made("likeness", "alike", measure == HeadLikeness::cosine ? "cosine of the weights" : "Σ min ÷ Σ max",
             HeadLikeness{measure}, {b.layer.weights}, "how alike heads %i and %j are");
  likeness.rows = likeness.columns = {"head"};
  likeness.role = Role::plain, likeness.range = Range::unit, likeness.stack = Stack::joined;
  b.places.likeness = b.graph.add(std::move(likeness));
}

void append_map(HeadsBuilder& b) {
  const HeadsSpec& spec = b.document.heads;
  if (spec.map == HeadMap::each) return;
  const StageIndex weights = b.layer.weights;
  const auto add = [&](const char* id, const char* title, const std::string& formula, Operation operation,
                       Range range, const char* sentence) {
    Stage stage = b.made(id, title, formula, std::move(operation), {weights}, sentence);
    stage.columns = b.weights().columns, stage.mask = b.weights().mask;
    stage.role = Role::plain, stage.range = range;
    if (spec.map != HeadMap::difference) stage.stack = Stack::joined;
    b.places.map = b.graph.add(std::move(stage));
  };
  if (spec.map == HeadMap::mean)
    add("heads_mean", "mean", "Σ over heads ÷ h", AcrossHeads{AcrossHeads::mean}, Range::unit,
        "the mean weight of %c for %r");
  if (spec.map == HeadMap::maximum)
    add("heads_maximum", "maximum", "max over heads", AcrossHeads{AcrossHeads::maximum}, Range::unit,
        "the largest weight of %c for %r in any head");
  if (spec.map == HeadMap::spread)
    add("heads_spread", "spread", "standard deviation over heads", AcrossHeads{AcrossHeads::spread},
        Range::positive, "how far heads differ in the weight of %c for %r");
  if (spec.map != HeadMap::difference) return;
  const std::size_t head = std::min(spec.against, b.weights().shape.stack - 1);
  add("heads_difference", "difference", "less head " + std::to_string(head), HeadDifference{head}, Range::any,
      "how much more of %c than in the other head goes into %r");
}

// The output is the sum of each head's output times its rows of W_O, and the bias: without a head it changes
// by exactly that head's part. Without W_O that part is the head's own columns of the output.
void append_parts(HeadsBuilder& b) {
  const LayerStages& layer = b.layer;
  const std::size_t step = b.graph.stages[layer.output].step;
  std::vector<StageIndex> inputs{layer.head_output};
  Operation operation = RowLength{};
  if (layer.w_o) inputs.push_back(*layer.w_o), operation = PartLength{};
  Stage parts = b.made("head_parts", "part of the output",
                       layer.w_o ? "‖head output · W_O‖" : "‖head output‖", std::move(operation),
                       std::move(inputs), "how far the output of %r moves when head %h is switched off");
  Stage length = b.made("output_length", "length of the output", "‖output‖", RowLength{}, {layer.output},
                        "how long the output of %r is");
  length.stack = Stack::joined;
  parts.step = length.step = step;
  b.places.parts = b.graph.add(std::move(parts));
  b.places.length = b.graph.add(std::move(length));
}

}  // namespace

Built build_heads(const Document& document, Address address) {
  Graph graph{.overrides = overrides_of(document, kHeadsPlan, address)};
  for (StageOverride& typed : graph.overrides) typed.layer = kLayerA;  // without a prefix
  HeadsBuilder b{.graph = graph, .document = document, .spec = document.layer(address)};
  b.layer = append_layer(graph, b.spec, {.address = address});
  b.places.weights = b.layer.weights, b.places.head_output = b.layer.head_output;
  b.places.output = b.layer.output, b.places.heads = b.weights().shape.stack;
  append_entropy(b);
  append_shares(b);
  append_likeness(b);
  append_map(b);
  append_parts(b);
  return {std::move(graph), Places(b.places)};
}

}  // namespace attn
