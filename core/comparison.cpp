// The same graph on the reference, stage by stage, and how far the two lie apart.
#include "core/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <sstream>

#include "core/reference/backend.h"
#include "core/rounding.h"
#include "core/run.h"
#include "core/special.h"

namespace attn {
namespace {

constexpr double kOfTerms = 2e-6;  // of size_of_terms: accepted beside accepted_distance

// Multiply-adds of one stage whose result has `size` numbers.
struct Counter {
  Shapes inputs;
  double size;

  double operator()(const Source&) const { return 0; }
  double operator()(const MatMul&) const { return size * static_cast<double>(inputs[0].columns); }
  double operator()(const Project&) const { return size * static_cast<double>(inputs[0].columns); }
  double operator()(const Mask& op) const {
    double of_cell = 1;
    for (const MaskTerm& term : op.rules)
      of_cell += std::holds_alternative<RandomRule>(term.rule) ? kRandomRule : 1;
    return of_cell * size;
  }
  double operator()(const Exponential&) const { return 10 * size; }
  double operator()(const RowMaximum&) const { return static_cast<double>(inputs[0].size()); }
  double operator()(const RowSum&) const { return static_cast<double>(inputs[0].size()); }
  double operator()(const SumByOffset&) const { return static_cast<double>(inputs[0].size()); }
  double operator()(const KernelExponent&) const { return 2 * kPair * size; }
  double operator()(const NeighbourWidth&) const { return pairs(inputs[0].rows, inputs[1].rows); }
  double operator()(const LinearWeights&) const { return 4 * size; }
  double operator()(const KernelEstimate&) const {
    return kPair * pairs(inputs[0].rows, inputs[1].rows) * static_cast<double>(inputs[2].columns);
  }
  double operator()(const LeaveOneOut&) const {
    return kPair * size * static_cast<double>(inputs[0].rows) * static_cast<double>(inputs[1].columns);
  }
  double operator()(const RowStatistic& op) const {
    const bool costly = op.figure == RowFigure::entropy || op.figure == RowFigure::largest_share;
    return (costly ? 10 : 2) * static_cast<double>(inputs[0].size());
  }
  double operator()(const ByRow& op) const { return (op.rule == RowRule::sigmoid ? 10 : 1) * size; }
  double operator()(const RowSumWithOne&) const { return static_cast<double>(inputs[0].size()); }
  double operator()(const Tanh&) const { return kTanh * size; }
  double operator()(const SquaredDistance&) const {
    return 2 * size * static_cast<double>(inputs[0].columns);
  }
  double operator()(const PairProduct&) const { return size * static_cast<double>(inputs[0].columns); }
  double operator()(const AdditiveScore&) const {
    return kTanh * size * static_cast<double>(inputs[0].columns);
  }
  double operator()(const RowLength&) const { return 2 * static_cast<double>(inputs[0].size()); }
  double operator()(const FormatSum&) const { return 4 * static_cast<double>(inputs[0].size()); }
  double operator()(const PatternShare&) const { return size * static_cast<double>(inputs[0].columns); }
  double operator()(const AcrossHeads&) const { return 2 * static_cast<double>(inputs[0].size()); }
  double operator()(const HeadLikeness&) const { return 3 * size * pairs(inputs[0].rows, inputs[0].columns); }
  double operator()(const PartLength&) const { return size * pairs(inputs[0].columns, inputs[1].columns); }
  double operator()(const RandomProducts& op) const {
    return 10 * static_cast<double>(op.count) * (size + static_cast<double>(op.rows));
  }
  double operator()(const auto&) const { return size; }

 private:
  static constexpr double kTanh = 20;
  static constexpr double kRandomRule = 8;  // a quarter of a block of random bits, and the limit of its row
  static constexpr double kPair = 16;       // of a query and a key: their exponent, its exponential, two sums
  static double pairs(std::size_t n, std::size_t m) {
    return static_cast<double>(n) * static_cast<double>(m);
  }
};

// How large the terms are that cancel in a number near 0. Products of d normals are as large as √d; what is
// squared is the difference of a value and a mean of values, each as large as the largest. Terms of additive
// scores are as large as the numbers of v.
double size_of_terms(const Results& results, const Stage& stage) {
  if (const auto* products = std::get_if<RandomProducts>(&stage.operation))
    return std::sqrt(static_cast<double>(products->first + products->count));
  if (std::holds_alternative<AdditiveScore>(stage.operation) ||
      std::holds_alternative<PairProduct>(stage.operation)) {
    double sum = 0;
    for (const float v : results.outputs[stage.inputs.back()].values())
      sum += std::abs(static_cast<double>(v));
    return sum;
  }
  if (!std::holds_alternative<LeaveOneOut>(stage.operation)) return 0;
  const Tensor& values = results.outputs[stage.inputs[1]];
  double largest = 0;
  for (const float v : values.values()) largest = std::max(largest, std::abs(static_cast<double>(v)));
  return 4 * static_cast<double>(values.columns()) * largest * largest;
}

// Where a number lies between two of the format the device may have rounded it to the other one: the last
// bits that it was computed with decide. So one step of the format is accepted; the reference goes on with
// the device's choice, or all stages behind would have to be accepted that come from it.
double accepted_step(const Stage& stage, double reference) {
  const auto* round = std::get_if<Round>(&stage.operation);
  if (!round || round->format == NumberFormat::float32 || !std::isfinite(reference)) return 0;
  return spacing_at(round->format, reference);
}

Tensor settled(const Results& results, StageIndex index, const Tensor& reference) {
  const Stage& stage = results.graph.stages[index];
  const auto* round = std::get_if<Round>(&stage.operation);
  const auto a = results.outputs[index].values(), b = reference.values();
  const auto differs = std::ranges::mismatch(a, b).in1 != a.end();
  if (!round || round->format == NumberFormat::float32 || !differs) return reference;
  std::vector<float> numbers(b.begin(), b.end());
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double accepted = accepted_distance(b[i]) + accepted_step(stage, b[i]);
    if (distance(a[i], b[i]) <= accepted) numbers[i] = a[i];
  }
  return {reference.shape(), std::move(numbers)};
}

void compare_stage(const Results& results, const Tensor& reference, StageIndex stage,
                   Comparison& comparison) {
  const Tensor& ours = results.outputs[stage];
  const Stage& about = results.graph.stages[stage];
  const double terms = kOfTerms * size_of_terms(results, about);
  const auto a = ours.values(), b = reference.values();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = distance(a[i], b[i]);
    if (d == 0) continue;
    comparison.stages[stage] = std::max(comparison.stages[stage], d);
    if (d > comparison.largest) {
      comparison.largest = d;
      comparison.largest_stage = stage;
      comparison.largest_cell = cell_at(ours.shape(), i);
    }
    const double excess =
        d < kInfinity ? d / (accepted_distance(b[i]) + terms + accepted_step(about, b[i])) : kInfinity;
    if (excess > comparison.excess) {
      comparison.excess = excess;
      comparison.excess_stage = stage;
      comparison.excess_cell = cell_at(ours.shape(), i);
    }
  }
}

std::string too_large(double operations) {
  std::ostringstream text;
  text << "not compared: too large (" << std::llround(operations / 1e6) << " million multiply-adds, at most "
       << std::llround(kMostComparedOperations / 1e6) << ")";
  return text.str();
}

}  // namespace

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isfinite(d) ? d : kInfinity;
}

double accepted_distance(double reference) {
  return 2e-6 + 2e-5 * std::abs(reference);
}

double operation_count(const Operation& operation, Shapes inputs, Shape result) {
  return std::visit(Counter{inputs, static_cast<double>(result.size())}, operation);
}

double operation_count(const Graph& graph, StageIndex stage) {
  return operation_count(graph.stages[stage].operation, graph.input_shapes(stage), graph.stages[stage].shape);
}

double operation_count(const Operation& operation, const std::vector<Shape>& inputs) {
  return operation_count(operation, inputs, result_shape(operation, inputs));
}

double operation_count(const Results& results) {
  double sum = 0;
  for (StageIndex i = 0; i < results.outputs.size(); ++i)
    if (!results.outputs[i].empty()) sum += operation_count(results.graph, i);
  return sum;
}

std::optional<Comparison> compare_with_reference(const Results& results,
                                                 const std::function<bool()>& give_up) {
  Comparison comparison;
  comparison.stages.resize(results.outputs.size());
  if (results.device == kReference) {
    comparison.is_reference = true;
    comparison.reason = "this is the reference itself";
    return comparison;
  }
  if (results.graph.stages.empty()) {
    comparison.reason = "nothing to compare: no number here is the device's";
    return comparison;
  }
  if (const double operations = operation_count(results); operations > kMostComparedOperations) {
    comparison.reason = too_large(operations);
    return comparison;
  }
  try {
    const auto reference = make_reference_backend();
    Run run;
    for (const Tensor& output : results.outputs) run.needed.push_back(!output.empty());
    run.done = [&](StageIndex i, const Tensor& output) { compare_stage(results, output, i, comparison); };
    run.passes_on = [&](StageIndex i, const Tensor& output) { return settled(results, i, output); };
    run.give_up = give_up;
    if (!run_stages(*reference, results.graph, run)) return std::nullopt;
  } catch (const std::bad_alloc&) {
    comparison.reason = "not compared: not enough memory for the reference";
  }
  return comparison;
}

}  // namespace attn
