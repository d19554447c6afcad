// The row's own part, and the order of the others.
#include "core/softmax/graph.h"

#include <algorithm>

#include "core/document/document_fields.h"
#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/gradient/gradients.h"
#include "core/softmax/builder.h"
#include "core/softmax/row.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

enum StepOf { kScores, kTempered, kMaximum, kExp, kSum, kWeights, kJacobian };

// With a prefix: what is pinned there is another number than the layer's of that name.
Part row_part() {
  return {.prefix = "row.", .title = "row"};
}

void append_steps(Graph& graph) {
  graph.add_step({.title = "scores", .says = "one row: how much a query looks at each key"});
  graph.add_step({.title = "÷ T", .says = "divided by the temperature"});
  graph.add_step({.title = "− max", .says = "the largest is subtracted, so that exp stays small"});
  graph.add_step({.title = "exp", .says = "e to the power of each"});
  graph.add_step({.title = "÷ sum", .says = "all of them added up"});
  graph.add_step({.title = "weights", .says = "each key's share: the row adds up to 1"});
  graph.add_step({.title = "Jacobian", .says = "how each weight answers to each score"});
}

std::shared_ptr<const Labels> shared(Labels labels) {
  return std::make_shared<const Labels>(std::move(labels));
}

void check_own_row(const SoftmaxSpec& spec) {
  const Shape shape = spec.scores.shape();
  if (shape.size() == 0) throw Error("the row has no keys: add one");
  if (shape.stack != 1 || shape.rows != 1)
    throw Error("the scores are " + to_string(shape) + ", but this is about one row");
  if (shape.columns > softmax_field::kMostKeys)
    throw Error("the row has " + std::to_string(shape.columns) + " keys, and at most " +
                std::to_string(softmax_field::kMostKeys) + " are shown: remove some");
  if (!spec.masked.empty() && spec.masked.back() >= shape.columns)
    throw Error("key " + std::to_string(spec.masked.back()) + " is masked, but the row has " +
                std::to_string(shape.columns) + " keys: show it again");
}

Stage own_scores(const SoftmaxSpec& spec) {
  const TensorField& field = softmax_field::scores;
  return {.id = std::string(field.stage),
          .title = std::string(field.symbol),
          .formula = "given",
          .operation = Source{spec.scores},
          .role = field.role,
          .sentence = std::string(field.number),
          .field = "softmax.scores",
          .step = kScores};
}

void append_layer_row(SoftmaxBuilder& b, const Document& document, Address address) {
  const auto [from, all] = append_layer_scores(b.graph, document, address);
  b.places.from = from;
  b.places.keys = from.keys;
  const Stage& read = b.graph.stages[all];
  b.row = {read.rows.name, shared({from.label.empty() ? std::to_string(from.query) : from.label})};
  b.keys = {read.columns.name, shared(from.keys)};
  const bool of_query = read.rows.along == Axis::queries;
  b.places.part = b.graph.parts.size();
  b.graph.begin_part(row_part());
  b.places.scores =
      b.graph.add({.id = "scores",
                   .title = "z",
                   .formula = "what the layer's softmax reads",
                   .operation = PickRow{from.head, from.query},
                   .inputs = {all},
                   .rows = b.row,
                   .columns = b.keys,
                   .role = Role::score,
                   .sentence = std::string(of_query ? "how much %r looks at %c" : "how much %c looks at %r") +
                               ", as the layer's softmax reads it",
                   .step = kScores});
  b.places.input = b.places.scores;
}

void append_own_row(SoftmaxBuilder& b) {
  const std::size_t m = b.spec.scores.columns();
  b.places.keys = b.spec.keys.size() == m ? b.spec.keys : Labels();
  b.row = {.name = "row", .labels = shared({"this row"}), .words = true};
  b.keys = {"key", shared(b.places.keys)};
  b.places.part = b.graph.parts.size();
  b.graph.begin_part(row_part());
  Stage scores = own_scores(b.spec);
  scores.rows = b.row, scores.columns = b.keys;
  b.places.scores = b.places.input = b.graph.add(std::move(scores));
  if (b.spec.masked.empty()) return;
  std::vector<float> hidden(m);
  for (const std::size_t key : b.spec.masked) hidden[key] = 1;
  b.places.mask = b.graph.add({.id = "mask",
                               .title = "mask",
                               .formula = "given",
                               .operation = Source{Tensor({1, 1, m}, std::move(hidden))},
                               .rows = b.row,
                               .columns = b.keys,
                               .traced = false,
                               .role = Role::mask,
                               .range = Range::mask,
                               .drawn = Drawn::never,
                               .sentence = "whether %c is hidden: 1 = masked"});
  b.places.input = b.graph.add({.id = "masked",
                                .title = "masked",
                                .formula = "−∞ where hidden",
                                .operation = MaskFill{},
                                .inputs = {b.places.scores, *b.places.mask},
                                .rows = b.row,
                                .columns = b.keys,
                                .role = Role::score,
                                .sentence = "the score of %c, as far as the mask allows",
                                .mask = b.places.mask,
                                .step = kScores});
}

void append_tempered(SoftmaxBuilder& b) {
  const double t = b.spec.temperature;
  const std::string text = t == 0 || t == 1 ? "1" : "1/" + brief(t);
  b.places.tempered = b.graph.add({.id = "tempered",
                                   .title = "z ÷ T",
                                   .formula = t == 0 ? "T → 0" : "÷ " + brief(t),
                                   .operation = Scale{.factor = t == 0 ? 1 : 1 / t, .text = text},
                                   .inputs = {b.places.input},
                                   .rows = b.row,
                                   .columns = b.keys,
                                   .role = Role::score,
                                   .sentence = "the score of %c, divided by the temperature",
                                   .mask = b.places.mask,
                                   .step = kTempered});
}

ScoreRows tempered_rows(const SoftmaxBuilder& b) {
  return {.scores = b.places.tempered,
          .rows = b.row,
          .columns = b.keys,
          .mask = b.places.mask,
          .maximum_step = kMaximum,
          .exp_step = kExp,
          .sum_step = kSum,
          .weights_step = kWeights};
}

void append_jacobian(SoftmaxBuilder& b) {
  const StageIndex weights = b.places.softmax.weights;
  b.places.entropy = b.graph.add({.id = "entropy",
                                  .title = "entropy",
                                  .formula = "−Σ a·ln a",
                                  .operation = RowStatistic{RowFigure::entropy},
                                  .inputs = {weights},
                                  .rows = b.row,
                                  .columns = b.one,
                                  .role = Role::statistic,
                                  .drawn = Drawn::inside,
                                  .sentence = "the entropy of the weights of %r, in nats",
                                  .step = kWeights});
  if (b.graph.stages[weights].shape.columns > kMostJacobian) return;
  b.places.jacobian = append_jacobian(
      b.graph, weights, b.places.tempered,
      {.id = "jacobian",
       .title = "Jacobian",
       .formula = b.spec.temperature == 1 ? "∂aᵢ/∂zⱼ = aᵢ(δᵢⱼ − aⱼ)" : "∂aᵢ/∂(zⱼ/T) = aᵢ(δᵢⱼ − aⱼ)",
       .operation = {},
       .rows = b.keys,
       .columns = b.keys,
       .sentence = "how fast the weight of %r grows with the score of %c",
       .step = kJacobian});
}

void append_row(SoftmaxBuilder& b) {
  append_tempered(b);
  const bool hard = b.spec.temperature == 0;
  b.places.softmax = append_weighting(b.graph, hard ? Weighting::hard : Weighting::softmax, tempered_rows(b));
  append_jacobian(b);
  const WeightingStages& s = b.places.softmax;
  for (const StageIndex stage : {*s.maximum, *s.sum}) b.graph.stages[stage].drawn = Drawn::always;
  const std::string power = hard ? "[zᵢ = max]" : "exp(zᵢ/T − max)";
  b.graph.parts.back().formula = {
      {"aᵢ = ", {}},
      {power, {*s.maximum, *s.shifted, *s.shares}},
      {" ÷ Σ " + (hard ? std::string("[zⱼ = max]") : "exp(zⱼ/T − max)"), {*s.sum}}};
}

// Those that are chosen, and before them what the layer of the row makes its weights by.
std::vector<Weighting> compared(const SoftmaxSpec& spec, const LayerSpec& layer) {
  std::vector<Weighting> all = spec.weightings;
  const Weighting own = weighting_of(layer);
  if (spec.source == RowSource::layer && std::ranges::count(all, own) == 0) all.insert(all.begin(), own);
  return all;
}

void append_others(SoftmaxBuilder& b, const LayerSpec& layer) {
  for (const Weighting weighting : compared(b.spec, layer)) {
    if (weighting == Weighting::softmax) continue;
    const WeightingText& text = weighting_text(weighting);
    b.graph.begin_part({.prefix = std::string(text.word) + ".", .title = std::string(text.title)});
    b.places.others.push_back(append_weighting(b.graph, weighting, tempered_rows(b)));
  }
}

}  // namespace

Built build_softmax(const Document& document, Address address) {
  Graph graph;
  Document alone;
  alone.softmax = document.softmax;
  check_limits(alone);
  graph.overrides = overrides_of(document, kSoftmaxPlan);
  SoftmaxBuilder b{.graph = graph, .spec = document.softmax};
  append_steps(graph);
  if (b.spec.source == RowSource::own) {
    check_own_row(b.spec);
    append_own_row(b);
  } else {
    append_layer_row(b, document, address);
  }
  append_row(b);
  append_others(b, document.layer(address));
  append_format(b);
  append_curves(b);
  append_products(b);
  return {std::move(graph), Places(std::move(b.places))};
}

Graph given_softmax(const Document& document) {
  if (document.softmax.source == RowSource::layer) return given_layer(document);
  Graph graph;
  graph.add_step({.title = "given", .says = "the scores of the document"});
  graph.begin_part(row_part());
  if (!document.softmax.scores.empty()) graph.add(own_scores(document.softmax));
  return graph;
}

}  // namespace attn
