// The stages of the workspace of kernels, an estimate a part.
#include "core/kernels/kernels_graph.h"

#include "core/document_fields.h"
#include "core/error.h"
#include "core/kernels/kernels_layer.h"
#include "core/limits.h"
#include "core/text.h"

namespace attn {
namespace {

enum StepOf { kDistance, kKappa, kSum, kWeights, kEstimate };

struct Builder {
  Graph& graph;
  const KernelsSpec& spec;
  const KernelPoints& points;
  KernelsWanted wanted;
  KernelsLayout layout = {};
  Axis queries{"query", {}, Axis::queries}, keys{"point", {}, Axis::keys}, one{}, value{"value"};

  // A number of each query and point, to be completed.
  Stage pair(std::string id, std::string title, std::string formula, Operation operation,
             std::vector<StageIndex> inputs, StepOf step) const {
    return {.id = std::move(id),
            .title = std::move(title),
            .formula = std::move(formula),
            .operation = std::move(operation),
            .inputs = std::move(inputs),
            .rows = queries,
            .columns = keys,
            .step = step};
  }
  StageIndex given(const char* id, const char* title, const char* formula, const Tensor& tensor, Axis rows,
                   Role role, const char* sentence) {
    return graph.add({.id = id,
                      .title = title,
                      .formula = formula,
                      .operation = Source{tensor},
                      .rows = std::move(rows),
                      .columns = role == Role::value ? value : one,
                      .role = role,
                      .drawn = Drawn::parameters,
                      .sentence = sentence,
                      .step = kDistance});
  }
};

void append_steps(Graph& graph) {
  graph.add_step({.title = "distance", .says = "how far each point is from the query, in widths"});
  graph.add_step({.title = "κ", .says = "how much a point at that distance counts"});
  graph.add_step({.title = "÷ sum", .says = "what all points together count"});
  graph.add_step({.title = "weights", .says = "each point's share: a row adds up to 1"});
  graph.add_step({.title = "Σ weights · y", .says = "the values, mixed by the weights"});
}

void append_points(Builder& b) {
  b.graph.begin_part({.title = "points"});
  const Tensor all = points_of(b.spec);
  const bool own = b.spec.set == PointSet::own;
  const TensorField& field = kernels_field::points;
  b.layout.points = b.graph.add({.id = std::string(field.stage),
                                 .title = std::string(field.symbol),
                                 .formula = own ? "given" : "drawn",
                                 .operation = Source{all},
                                 .rows = {"point"},
                                 .columns = {"number"},
                                 .role = field.role,
                                 .drawn = Drawn::parameters,
                                 .sentence = std::string(field.number),
                                 .field = own ? "kernels.points" : "",
                                 .step = kDistance});
  b.layout.queries = b.given("queries", "q", "where the estimate is read", queries_of(b.spec), b.queries,
                             Role::query, "the place of query %i");
  b.layout.keys = b.given("keys", "x", "points in order of x", b.points.keys, b.keys, Role::key,
                          "the place of point %i in order of x");
  b.layout.values = b.given("values", "y", "their values", b.points.values, b.keys, Role::value,
                            "value %j of point %i in order of x");
}

StageIndex append_width(Builder& b, const KernelCurve& curve) {
  Stage stage{.id = "width",
              .title = "σ",
              .formula = "one for all",
              .operation = Source{Tensor({1, 1, 1}, {static_cast<float>(curve.width)})},
              .drawn = Drawn::parameters,
              .sentence = "one width of the kernel",
              .step = kDistance};
  if (b.spec.width_rule == WidthRule::neighbours) {
    stage.formula = "distance to neighbour " + std::to_string(b.spec.neighbours);
    stage.operation = NeighbourWidth{b.spec.neighbours};
    stage.inputs = {b.layout.queries, b.layout.keys};
    stage.rows = b.queries;
    stage.sentence = "the width at query %i: as far as its neighbour " + std::to_string(b.spec.neighbours);
  } else if (!b.points.widths.empty()) {
    std::vector<float> widths;
    for (const float factor : b.points.widths.values())
      widths.push_back(static_cast<float>(curve.width * static_cast<double>(factor)));
    stage.formula = "σ times each point's own";
    const std::size_t m = widths.size();
    stage.operation = Source{Tensor({1, 1, m}, std::move(widths))};
    stage.columns = b.keys;
    stage.sentence = "the width of point %j";
  }
  return b.graph.add(std::move(stage));
}

// From distances to κ, which of an exponential is divided by the largest of the row: so it cannot underflow
// where the quotient is defined.
StageIndex append_kernel(Builder& b, KernelStages& stages) {
  const Kernel kernel = stages.curve.kernel;
  const std::vector<StageIndex> given{b.layout.queries, b.layout.keys, stages.width};
  const std::string formula(kernel_text(kernel).formula);
  if (kernel != Kernel::dot) {
    Stage u = b.pair("distance", "u", "(q − x) ÷ σ", KernelDistance{}, given, kDistance);
    u.sentence = "how far query %i is from point %j, in widths";
    stages.distances = b.graph.add(std::move(u));
  }
  if (!is_exponential(kernel)) {
    Stage kappa = b.pair("kernel", "κ", formula, KernelValue{kernel}, {*stages.distances}, kKappa);
    kappa.range = Range::positive, kappa.sentence = "how much point %j counts for query %i";
    return b.graph.add(std::move(kappa));
  }
  const std::string power = kernel == Kernel::dot ? "q·x" : "−u²/2";
  Stage exponent =
      b.pair("exponent", "exponent", power + " less its largest", KernelExponent{kernel}, given, kKappa);
  exponent.role = Role::score;
  exponent.sentence = power + " of query %i and point %j, less the largest of the row";
  const StageIndex read = b.graph.add(std::move(exponent));
  Stage largest = b.pair("largest", "row max", "max over points", RowMaximum{}, {read}, kKappa);
  largest.columns = b.one, largest.role = Role::statistic, largest.drawn = Drawn::inside;
  largest.sentence = "the largest exponent of query %i: 0, as it has been subtracted";
  const StageIndex maximum = b.graph.add(std::move(largest));
  Stage kappa = b.pair("kernel", "κ ÷ largest", formula + " ÷ the largest of the row",
                       Exponential{.empty_row = EmptyRow::nan}, {read, maximum}, kKappa);
  kappa.range = Range::positive;
  kappa.sentence = "how much point %j counts for query %i, beside the nearest";
  return b.graph.add(std::move(kappa));
}

void append_estimate(Builder& b, KernelStages& stages) {
  const StageIndex values = b.layout.values;
  Stage estimate = b.pair("estimate", "estimate", "Σ weights · y", MatMul{}, {}, kEstimate);
  estimate.columns = b.value, estimate.role = Role::output;
  estimate.sentence = "value %j as estimated at query %i";
  if (!b.wanted.pairs) {
    estimate.operation = KernelEstimate{stages.curve.kernel};
    estimate.inputs = {b.layout.queries, b.layout.keys, values, stages.width};
    stages.estimate = b.graph.add(std::move(estimate));
    return;
  }
  stages.kernels = append_kernel(b, stages);
  Stage sum = b.pair("sum", "Σ κ", "Σ over points", RowSum{}, {*stages.kernels}, kSum);
  sum.columns = b.one, sum.role = Role::statistic;
  sum.sentence = "what all points together count for query %i";
  stages.sum = b.graph.add(std::move(sum));
  Stage weights = b.pair("weights", "weights", "κ ÷ Σ κ", Normalize{.undefined = true},
                         {*stages.kernels, *stages.sum}, kWeights);
  weights.role = Role::weights, weights.range = Range::unit;
  weights.sentence = "the share of point %j in the estimate at query %i";
  stages.weights = b.graph.add(std::move(weights));
  estimate.inputs = {*stages.weights, values};
  stages.estimate = b.graph.add(std::move(estimate));
  if (!b.spec.linear) return;
  Stage tilted = b.pair("line_weights", "weights of the line", "tilted so that lines stay lines",
                        LinearWeights{}, {*stages.weights, b.layout.queries, b.layout.keys}, kEstimate);
  tilted.sentence = "how much point %j counts in the local line at query %i";
  const StageIndex line_weights = b.graph.add(std::move(tilted));
  Stage line = b.pair("line", "local line", "the line through the weighted points", MatMul{},
                      {line_weights, values}, kEstimate);
  line.columns = b.value, line.role = Role::output;
  line.sentence = "value %j of the local line at query %i";
  stages.line = b.graph.add(std::move(line));
}

// A looked-through stage for each step of the mean.
void append_errors(Builder& b, KernelStages& stages) {
  const std::size_t m = b.points.keys.rows();
  const Tensor candidates = b.wanted.errors ? candidates_of(b.points, b.spec.width_rule) : Tensor();
  if (candidates.shape().size() == 0) return;
  const auto hidden = [&](const char* id, Operation operation, std::vector<StageIndex> inputs) {
    return b.graph.add({.id = id,
                        .title = id,
                        .formula = {},
                        .operation = std::move(operation),
                        .inputs = std::move(inputs),
                        .traced = false,
                        .drawn = Drawn::never,
                        .stack = Stack::heads});
  };
  const StageIndex widths = hidden("loo_width", Source{candidates}, {});
  const StageIndex squares =
      hidden("loo_square", LeaveOneOut{stages.curve.kernel}, {b.layout.keys, b.layout.values, widths});
  const StageIndex ones = hidden("loo_ones", Source{Tensor({1, 1, m}, std::vector<float>(m, 1.0f))}, {});
  const StageIndex sum = hidden("loo_sum", MatMul{}, {ones, squares});
  stages.errors = hidden(
      "loo_error", Scale{.factor = 1 / static_cast<double>(m), .text = "1/" + std::to_string(m)}, {sum});
}

void append_curve(Builder& b, const KernelCurve& curve, std::size_t number) {
  const KernelText& text = kernel_text(curve.kernel);
  const bool kernels = b.spec.kernels.size() > 1;
  const bool neighbours = b.spec.width_rule == WidthRule::neighbours;
  KernelStages stages{.curve = curve, .part = b.graph.parts.size()};
  b.graph.begin_part(
      {.prefix = kernels ? std::string(text.word) + "." : "width" + std::to_string(number) + ".",
       .title = kernels || neighbours ? std::string(text.title) : "σ " + brief(curve.width)});
  stages.width = append_width(b, curve);
  append_estimate(b, stages);
  append_errors(b, stages);
  std::vector<StageIndex> kappa;
  if (stages.kernels) kappa = {*stages.kernels};
  if (number == 0)
    b.graph.parts.back().formula = {{"f(q) = Σ κ((q − xᵢ)/σ)·yᵢ ÷ Σ κ((q − xⱼ)/σ)", {stages.estimate}},
                                    {"   κ(u) = " + std::string(text.formula), kappa}};
  b.layout.curves.push_back(std::move(stages));
}

// The first Gaussian with one width, and the layer that it is.
void append_same_layer(Builder& b) {
  const std::size_t curve = layer_curve(b.spec);
  if (curve >= b.layout.curves.size()) return;
  const KernelStages& stages = b.layout.curves[curve];
  KernelsLayer layer{.curve = curve, .part = b.graph.parts.size()};
  const LayerStages made = append_layer(b.graph, same_layer(b.spec, b.points),
                                        {.prefix = "attention.", .title = "attention", .step = kWeights});
  layer.weights = made.weights, layer.output = made.output;
  const auto less = [&](const char* id, StageIndex a, StageIndex minus_b, const char* sentence) {
    Stage minus{.id = std::string("minus_") + id,
                .title = "−",
                .formula = {},
                .operation = Scale{.factor = -1, .text = "−1"},
                .inputs = {minus_b},
                .traced = false,
                .drawn = Drawn::never};
    const StageIndex negative = b.graph.add(std::move(minus));
    return b.graph.add({.id = id,
                        .title = "difference",
                        .formula = "kernel − attention",
                        .operation = Add{},
                        .inputs = {a, negative},
                        .rows = b.queries,
                        .columns = b.graph.stages[a].columns,
                        .sentence = sentence});
  };
  layer.difference = less("difference", *stages.weights, layer.weights,
                          "how far the weight of point %j for query %i is from the layer's");
  layer.apart = less("apart", stages.estimate, layer.output,
                     "how far the estimate at query %i is from the layer's output");
  b.layout.layer = layer;
}

// Nothing is estimated; the queries wait.
KernelsLayout append_no_points(Graph& graph, const Document& document) {
  check_limits(document);
  const KernelPoints none;
  Builder b{.graph = graph, .spec = document.kernels, .points = none, .wanted = {}};
  append_steps(graph);
  graph.begin_part({.title = "points"});
  b.layout.queries = b.given("queries", "q", "where the estimate is read", queries_of(document.kernels),
                             b.queries, Role::query, "the place of query %i");
  return std::move(b.layout);
}

KernelsLayout build(Graph& graph, const Document& document) {
  graph.overrides = overrides_of(document, kKernelsPlan.name);
  const KernelsSpec& spec = document.kernels;
  const std::size_t m = spec.set == PointSet::own ? spec.points.rows() : spec.count;
  if (m == 0) return append_no_points(graph, document);
  const bool pairs = spec.queries * m <= kMostPairs;
  return append_kernels(graph, spec, {.pairs = pairs, .errors = m <= kMostLeftOut, .layer = pairs});
}

}  // namespace

KernelsLayout append_kernels(Graph& graph, const KernelsSpec& spec, KernelsWanted wanted) {
  Document alone;
  alone.kernels = spec;
  check_limits(alone);
  const KernelPoints points = sorted_points(spec);
  Builder b{.graph = graph, .spec = spec, .points = points, .wanted = wanted};
  append_steps(graph);
  append_points(b);
  const std::vector<KernelCurve> curves = curves_of(spec);
  for (std::size_t i = 0; i < curves.size(); ++i) append_curve(b, curves[i], i);
  if (wanted.pairs && wanted.layer) append_same_layer(b);
  return std::move(b.layout);
}

Graph build_kernels(const Document& document) {
  Graph graph;
  build(graph, document);
  return graph;
}

Graph given_kernels(const Document& document) {
  const TensorField& field = kernels_field::points;
  const Tensor& points = document.kernels.points;
  Graph graph;
  graph.add_step({.title = "given", .says = "the points of the document"});
  if (document.kernels.set == PointSet::own && !points.empty())
    graph.add({.id = std::string(field.stage),
               .title = std::string(field.symbol),
               .formula = "given",
               .operation = Source{points},
               .role = field.role,
               .sentence = std::string(field.number),
               .field = "kernels.points",
               .step = 0});
  return graph;
}

KernelsLayout kernels_layout(const Document& document) {
  Graph graph;
  return build(graph, document);
}

}  // namespace attn
