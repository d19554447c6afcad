// The row at many temperatures, and in another number format.
#include <cmath>

#include "core/softmax/builder.h"

namespace attn {
namespace {

constexpr const char* kOneOver = "1/T";

Tensor inverse_temperatures() {
  std::vector<float> values;
  for (std::size_t row = 0; row < kTemperatures; ++row)
    values.push_back(static_cast<float>(1 / curve_temperature(row)));
  return {{1, kTemperatures, 1}, std::move(values)};
}

// A step of the row in a format: what is computed, looked through, and the same rounded.
struct Rounding {
  SoftmaxBuilder& b;

  StageIndex exact(const std::string& id, const std::string& title, Operation operation,
                   std::vector<StageIndex> inputs) const {
    return b.graph.add({.id = id,
                        .title = title,
                        .formula = "before rounding",
                        .operation = std::move(operation),
                        .inputs = std::move(inputs),
                        .rows = b.row,
                        .columns = b.keys,
                        .traced = false,
                        .drawn = Drawn::never,
                        .sentence = title + " of %c before rounding"});
  }
  StageIndex rounded(const std::string& id, const std::string& title, StageIndex input, Role role,
                     Range range, const std::string& sentence) const {
    return b.graph.add({.id = id,
                        .title = title,
                        .formula = std::string("as ") + name(b.spec.format),
                        .operation = Round{b.spec.format},
                        .inputs = {input},
                        .rows = b.row,
                        .columns = b.keys,
                        .role = role,
                        .range = range,
                        .sentence = sentence});
  }
  StageIndex statistic(const std::string& id, const std::string& title, const std::string& formula,
                       Operation operation, StageIndex input) const {
    return b.graph.add({.id = id,
                        .title = title,
                        .formula = formula,
                        .operation = std::move(operation),
                        .inputs = {input},
                        .rows = b.row,
                        .columns = b.one,
                        .role = Role::statistic,
                        .sentence = "the " + title + " of %r in " + name(b.spec.format)});
  }
};

}  // namespace

double curve_temperature(std::size_t row) {
  const double part = static_cast<double>(row) / static_cast<double>(kTemperatures - 1);
  return kLeastCurve * std::pow(kMostCurve / kLeastCurve, part);
}

void append_curves(SoftmaxBuilder& b) {
  CurveStages& stages = b.places.curves;
  stages.part = b.graph.parts.size();
  b.graph.begin_part({.prefix = "curves.", .title = "by temperature"});
  const Axis temperatures{"temperature"};
  stages.inverse = b.graph.add({.id = "inverse",
                                .title = kOneOver,
                                .formula = "T from 0.05 to 20",
                                .operation = Source{inverse_temperatures()},
                                .rows = temperatures,
                                .columns = b.one,
                                .drawn = Drawn::never,
                                .sentence = "what the scores are multiplied by in row %i"});
  const StageIndex tempered = b.graph.add({.id = "tempered",
                                           .title = "scores ÷ T",
                                           .formula = "scores · 1/T",
                                           .operation = MatMul{},
                                           .inputs = {stages.inverse, b.places.input},
                                           .rows = temperatures,
                                           .columns = b.keys,
                                           .role = Role::score,
                                           .drawn = Drawn::never,
                                           .sentence = "the score of %c at temperature %i"});
  const WeightingStages softmax = append_weighting(
      b.graph, Weighting::softmax, {.scores = tempered, .rows = temperatures, .columns = b.keys});
  for (StageIndex i = tempered; i <= softmax.weights; ++i) b.graph.stages[i].drawn = Drawn::never;
  stages.weights = softmax.weights;
  stages.entropy = b.graph.add({.id = "entropy",
                                .title = "entropy",
                                .formula = "−Σ a·ln a",
                                .operation = RowStatistic{RowFigure::entropy},
                                .inputs = {stages.weights},
                                .rows = temperatures,
                                .columns = b.one,
                                .role = Role::statistic,
                                .drawn = Drawn::never,
                                .sentence = "the entropy of the weights at temperature %i, in nats"});
}

// Exponentials of numbers of the format, rounded; the sum rounds each addition, the quotient once. Where all
// of them underflow there is nothing to divide by: 0 ÷ 0 is no number.
void append_format(SoftmaxBuilder& b) {
  FormatStages& stages = b.places.format;
  stages.part = b.graph.parts.size();
  b.graph.begin_part({.prefix = "format.", .title = name(b.spec.format)});
  const Rounding step{b};
  stages.scores = step.rounded("scores", "scores", b.places.tempered, Role::score, Range::any,
                               "the score of %c, rounded");
  StageIndex powers = stages.scores;
  if (b.spec.subtract_maximum) {
    stages.maximum = step.statistic("row_max", "row max", "max over keys", RowMaximum{}, stages.scores);
    const StageIndex difference = step.exact("difference", "− row max", ByRow{RowRule::minus_maximum},
                                             {stages.scores, *stages.maximum});
    stages.shifted = step.rounded("shifted", "− row max", difference, Role::score, Range::any,
                                  "how far the score of %c is from the largest, rounded");
    powers = *stages.shifted;
  }
  const StageIndex exact = step.exact("exact", "exp", Exponential{}, {powers});
  stages.shares = step.rounded("exp", "exp", exact, Role::plain, Range::positive,
                               "e to the power of the score of %c, rounded: ∞ beyond the format's range");
  stages.sum =
      step.statistic("row_sum", "row sum", b.spec.summation == SumOrder::pairs ? "by pairs" : "in order",
                     FormatSum{b.spec.format, b.spec.summation}, stages.shares);
  const StageIndex quotient =
      step.exact("quotient", "exp ÷ row sum", Normalize{.undefined = true}, {stages.shares, stages.sum});
  stages.weights = step.rounded("weights", "weights", quotient, Role::weights, Range::unit,
                                "the weight of %c, rounded; ∞ ÷ ∞ and 0 ÷ 0 are no numbers");
}

}  // namespace attn
