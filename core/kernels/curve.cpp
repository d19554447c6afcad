// The stages of one estimate: its width, distances, kernels, weights, mean, local line and errors.
#include "core/kernels/builder.h"
#include "core/text/text.h"

namespace attn {

StageIndex append_width(KernelsBuilder& b, const KernelCurve& curve) {
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
    stage.inputs = {b.places.queries, b.places.keys};
    stage.rows = b.queries;
    stage.sentence = "the width at query %i: as far as its neighbour " + std::to_string(b.spec.neighbours);
  } else if (!b.places.sorted.widths.empty()) {
    std::vector<float> widths;
    for (const float factor : b.places.sorted.widths.values())
      widths.push_back(static_cast<float>(curve.width * static_cast<double>(factor)));
    stage.formula = "σ times each point's own";
    const std::size_t m = widths.size();
    stage.operation = Source{Tensor({1, 1, m}, std::move(widths))};
    stage.columns = b.keys;
    stage.sentence = "the width of point %j";
  }
  return b.graph.add(std::move(stage));
}

namespace {

// From distances to κ, which of an exponential is divided by the largest of the row: so it cannot underflow
// where the quotient is defined.
StageIndex append_kernel(KernelsBuilder& b, KernelStages& stages) {
  const Kernel kernel = stages.curve.kernel;
  const std::vector<StageIndex> given{b.places.queries, b.places.keys, stages.width};
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
  kappa.sentence = "how much point %j counts for query %i, relative to the nearest";
  return b.graph.add(std::move(kappa));
}

void append_estimate(KernelsBuilder& b, KernelStages& stages) {
  const StageIndex values = b.places.values;
  Stage estimate = b.pair("estimate", "estimate", "Σ weights · y", MatMul{}, {}, kEstimate);
  estimate.columns = b.value, estimate.role = Role::output, estimate.gaps = true;
  estimate.sentence = "value %j as estimated at query %i";
  if (!b.wanted.pairs) {
    estimate.operation = KernelEstimate{stages.curve.kernel};
    estimate.inputs = {b.places.queries, b.places.keys, values, stages.width};
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
  weights.role = Role::weights, weights.range = Range::unit, weights.gaps = true;
  weights.row_total = RowTotal::one;
  weights.sentence = "the share of point %j in the estimate at query %i";
  stages.weights = b.graph.add(std::move(weights));
  estimate.inputs = {*stages.weights, values};
  stages.estimate = b.graph.add(std::move(estimate));
  if (!b.spec.linear) return;
  Stage tilted = b.pair("line_weights", "weights of the line", "tilted so that lines stay lines",
                        LinearWeights{}, {*stages.weights, b.places.queries, b.places.keys}, kEstimate);
  tilted.gaps = true;
  tilted.sentence = "how much point %j counts in the local line at query %i";
  const StageIndex line_weights = b.graph.add(std::move(tilted));
  Stage line = b.pair("line", "local line", "the line through the weighted points", MatMul{},
                      {line_weights, values}, kEstimate);
  line.columns = b.value, line.role = Role::output, line.gaps = true;
  line.sentence = "value %j of the local line at query %i";
  stages.line = b.graph.add(std::move(line));
}

void append_errors(KernelsBuilder& b, KernelStages& stages) {
  const Tensor candidates = b.wanted.errors ? candidates_of(b.places.sorted, b.spec.width_rule) : Tensor();
  if (candidates.shape().size() == 0) return;
  stages.errors =
      append_mean_errors(b.graph, stages.curve.kernel, b.places.keys, b.places.values, candidates);
}

}  // namespace

// A looked-through stage for each step of the mean.
StageIndex append_mean_errors(Graph& graph, Kernel kernel, StageIndex keys, StageIndex values,
                              const Tensor& candidates) {
  const std::size_t m = graph.stages[keys].shape.rows;
  const auto hidden = [&](const char* id, Operation operation, std::vector<StageIndex> inputs) {
    return graph.add({.id = id,
                      .title = id,
                      .formula = {},
                      .operation = std::move(operation),
                      .inputs = std::move(inputs),
                      .traced = false,
                      .drawn = Drawn::never,
                      .stack = Stack::heads,
                      .gaps = true});
  };
  const StageIndex widths = hidden("loo_width", Source{candidates}, {});
  const StageIndex squares = hidden("loo_square", LeaveOneOut{kernel}, {keys, values, widths});
  const StageIndex ones = hidden("loo_ones", Source{Tensor({1, 1, m}, std::vector<float>(m, 1.0f))}, {});
  const StageIndex sum = hidden("loo_sum", MatMul{}, {ones, squares});
  return hidden("loo_error", Scale{.factor = 1 / static_cast<double>(m), .text = "1/" + std::to_string(m)},
                {sum});
}

void append_curve(KernelsBuilder& b, const KernelCurve& curve, std::size_t number) {
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
  if (number == 0) {
    auto& formula = b.graph.parts.back().formula;
    formula.push_back({"f(q) = Σ κ((q − xᵢ)/σ)·yᵢ ÷ Σ κ((q − xᵢ)/σ)", {stages.estimate}});
    formula.push_back({"   κ(u) = " + std::string(text.formula), {}});
    if (stages.kernels) formula.back().stages.push_back(*stages.kernels);
  }
  b.places.curves.push_back(std::move(stages));
}

}  // namespace attn
