// The same graph on the reference, stage by stage, and how far the two lie apart.
#include "core/checks/comparison.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <sstream>

#include "core/evaluate/run.h"
#include "core/graph/rounding.h"
#include "core/reference/backend.h"
#include "core/text/special.h"

namespace attn {
namespace {

constexpr double kOfTerms = 2e-6;  // of terms_of: accepted on top of accepted_distance

// How large the terms are that cancel in a number of it near 0.
double terms_of(const Results& results, const Stage& stage) {
  std::vector<Tensor> inputs;
  for (const StageIndex input : stage.inputs) inputs.push_back(results.outputs[input].whole());
  return size_of_terms(stage.operation, inputs);
}

// The format that the stage rounds to; none where every float is of it.
std::optional<NumberFormat> coarse_format(const Stage& stage) {
  const auto format = stage.traits.rounds_to;
  return format == NumberFormat::float32 ? std::nullopt : format;
}

// Where a number lies between two of the format the device may have rounded it to the other one: the last
// bits that it was computed with decide. So one step of the format is accepted; the reference goes on with
// the device's choice, or all stages behind would have to be accepted that come from it.
double accepted_step(std::optional<NumberFormat> format, double reference) {
  return format && std::isfinite(reference) ? spacing_at(*format, reference) : 0;
}

Tensor settled(const Results& results, StageIndex index, const Tensor& reference) {
  const auto format = coarse_format(results.graph.stages[index]);
  const auto a = results.outputs[index].whole().values(), b = reference.values();
  const auto differs = std::ranges::mismatch(a, b).in1 != a.end();
  if (!format || !differs) return reference;
  std::vector<float> numbers(b.begin(), b.end());
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double accepted = accepted_distance(b[i]) + accepted_step(format, b[i]);
    if (distance(a[i], b[i]) <= accepted) numbers[i] = a[i];
  }
  return {reference.shape(), std::move(numbers)};
}

void compare_stage(const Results& results, const Tensor& reference, StageIndex stage,
                   Comparison& comparison) {
  const Tensor& ours = results.outputs[stage].whole();
  const Stage& about = results.graph.stages[stage];
  const double terms = kOfTerms * terms_of(results, about);
  const auto format = coarse_format(about);
  const auto a = ours.values(), b = reference.values();
  const bool seen = about.traced || about.drawn != Drawn::never;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = distance(a[i], b[i]);
    if (d == 0) continue;
    comparison.stages[stage] = std::max(comparison.stages[stage], d);
    if (seen && d > comparison.largest) {
      comparison.largest = d;
      comparison.largest_stage = stage;
      comparison.largest_cell = cell_at(ours.shape(), i);
    }
    const double excess =
        d < kInfinity ? d / (accepted_distance(b[i]) + terms + accepted_step(format, b[i])) : kInfinity;
    if (excess > comparison.excess) {
      comparison.excess = excess;
      comparison.excess_stage = stage;
      comparison.excess_cell = cell_at(ours.shape(), i);
    }
  }
}

using PassesOn = Tensor (*)(const Results&, StageIndex, const Tensor&);

// What the device goes on with, as far as it is here.
Tensor of_device(const Results& results, StageIndex index, const Tensor& reference) {
  return results.outputs[index].here() ? results.outputs[index].whole() : reference;
}

// Of all stages that are here; nothing when it gave up.
std::optional<Comparison> compared(const Results& results, PassesOn passes_on,
                                   const std::function<bool()>& give_up) {
  Comparison comparison;
  comparison.stages.resize(results.outputs.size());
  const auto reference = make_reference_backend();
  Run run;
  for (const StageResult& output : results.outputs) run.needed.push_back(output.here());
  run.done = [&](StageIndex i, const Tensor& output) { compare_stage(results, output, i, comparison); };
  run.passes_on = [&](StageIndex i, const Tensor& output) { return passes_on(results, i, output); };
  run.give_up = give_up;
  if (!run_stages(*reference, results.graph, run)) return std::nullopt;
  return comparison;
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
  return traits(operation, inputs, result).multiply_adds;
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
    if (results.outputs[i].here()) sum += operation_count(results.graph, i);
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
    auto all = compared(results, settled, give_up);
    if (!all || all->accepted()) return all;
    // Roundings of many stages add up, and what follows may magnify them: a stage is at fault where it is off
    // from what the device itself gave it.
    const auto each = compared(results, of_device, give_up);
    if (!each) return std::nullopt;
    all->excess = each->excess, all->excess_stage = each->excess_stage, all->excess_cell = each->excess_cell;
    return all;
  } catch (const std::bad_alloc&) {
    comparison.reason = "not compared: not enough memory for the reference";
  }
  return comparison;
}

}  // namespace attn
