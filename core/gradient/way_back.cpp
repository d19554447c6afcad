// From the loss down: what flows to which stage.
#include "core/gradient/way_back.h"

#include <algorithm>

#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char* kCancels = "it guards against overflow alone: what passes through it cancels";

// The readers of each stage among those that the loss is computed from.
std::vector<std::vector<StageIndex>> readers_of(const Graph& graph, const std::vector<bool>& asked) {
  std::vector<std::vector<StageIndex>> readers(asked.size());
  for (StageIndex i = 0; i < asked.size(); ++i)
    for (const StageIndex input : graph.stages[i].inputs)
      if (asked[i]) readers[input].push_back(i);
  return readers;
}

// Weights whose steps nothing else reads: what flows past these, straight to the scores. Out of the steps
// themselves nothing flows to the scores then, and 0 to what was subtracted.
struct Passed {
  StageIndex weights = 0, scores = 0;
  WeightsRule rule = WeightsRule::softmax;
  std::vector<StageIndex> steps = {};
};

class Passing {
 public:
  Passing(const Graph& graph, const std::vector<bool>& asked)
      : stages_(graph.stages), readers_(readers_of(graph, asked)) {}

  std::optional<Passed> at(StageIndex weights) const {
    const Stage& last = stages_[weights];
    if (last.traits.step == SoftmaxStep::division) return softmax(weights);
    if (last.traits.step == SoftmaxStep::above) return sparsemax(weights);
    return std::nullopt;
  }

 private:
  bool read_by(StageIndex stage, std::initializer_list<StageIndex> readers) const {
    return std::ranges::is_permutation(readers_[stage], readers);
  }

  // Of a row without a key exponentials may be ones or NaN, which do not follow their scores: these go step
  // by step.
  std::optional<Passed> softmax(StageIndex weights) const {
    const StageIndex shares = stages_[weights].inputs[0], sum = stages_[weights].inputs[1];
    const Traits& of_shares = stages_[shares].traits;
    if (of_shares.step != SoftmaxStep::exponential || of_shares.hard) return std::nullopt;
    if (of_shares.empty_row != EmptyRow::zeros) return std::nullopt;
    const SoftmaxStep adds = stages_[sum].traits.step;
    if (adds != SoftmaxStep::sum && adds != SoftmaxStep::sum_with_one) return std::nullopt;
    if (stages_[sum].inputs[0] != shares || !read_by(shares, {sum, weights}) || !read_by(sum, {weights}))
      return std::nullopt;
    return Passed{weights, stages_[shares].inputs[0], WeightsRule::softmax, {shares, sum}};
  }

  std::optional<Passed> sparsemax(StageIndex weights) const {
    const StageIndex scores = stages_[weights].inputs[0], threshold = stages_[weights].inputs[1];
    if (stages_[threshold].traits.step != SoftmaxStep::threshold || !read_by(threshold, {weights}) ||
        stages_[threshold].inputs[0] != scores)
      return std::nullopt;
    return Passed{weights, scores, WeightsRule::sparsemax, {threshold}};
  }

  const std::vector<Stage>& stages_;
  std::vector<std::vector<StageIndex>> readers_;
};

const char* formula_of(WeightsRule rule) {
  return rule == WeightsRule::softmax ? "%y ⊙ (%g − Σ %g ⊙ %y)" : "%g − mean of it over the support";
}

// Whether gradients of its steps, or of what these subtract, are asked for themselves.
bool asks_steps(const Graph& graph, const Passed& passed, std::span<const StageIndex> of) {
  const auto is_asked = [&](StageIndex stage) { return std::ranges::count(of, stage) > 0; };
  return of.empty() || std::ranges::any_of(passed.steps, [&](StageIndex step) {
           return is_asked(step) || std::ranges::any_of(graph.stages[step].inputs, [&](StageIndex input) {
                    return input != passed.scores && is_asked(input);
                  });
         });
}

// What the stage's own recipe passes to its scores is part of what passes by.
void pass(WayBack& way, const Passed& passed, bool with_steps) {
  WayBack::Step& step = way.steps[passed.weights];
  std::vector<BackwardFlow> kept;
  std::vector<StageIndex> to;
  for (std::size_t i = 0; i < step.to.size(); ++i)
    if (with_steps && step.to[i] != passed.scores)
      kept.push_back(step.back.flows[i]), to.push_back(step.to[i]);
  step.back.flows = std::move(kept), step.to = std::move(to);
  step.back.flow(0,
                 step.back.add(WeightsGradient{passed.rule}, {kResult, kGradient}, formula_of(passed.rule)));
  step.to.push_back(passed.scores);
}

}  // namespace

WayBack::WayBack(const Graph& graph, StageIndex loss, std::span<const StageIndex> of) {
  const std::size_t count = loss + 1;
  steps.resize(count), flows.assign(count, 0), zeros.resize(count);
  std::vector<bool> leads(count), asked(count);
  for (StageIndex i = 0; of.empty() && i < count; ++i) leads[i] = graph.stages[i].role != Role::loss;
  for (const StageIndex stage : of) leads.at(stage) = true;
  for (StageIndex i = 0; i < count; ++i)
    for (const StageIndex input : graph.stages[i].inputs)
      if (leads[input]) leads[i] = true;
  asked[loss] = true;
  for (StageIndex i = count; i-- > 0;)
    for (const StageIndex input : graph.stages[i].inputs)
      if (asked[i]) asked[input] = true;
  const Passing passing(graph, asked);
  std::vector<std::optional<Passed>> step_of(count);
  steps[loss].active = leads[loss];
  for (StageIndex i = count; i-- > 0;) {
    Step& step = steps[i];
    if (!step.active) continue;
    const Stage& stage = graph.stages[i];
    const bool nothing = i != loss && flows[i] == 0;  // and so nothing to pass on
    Backward back = backward(stage.operation, graph.input_shapes(stage), stage.shape);
    if (!back.missing.empty())
      throw Error(stage.title + " has no gradient: " + back.missing + " (" + name(stage.operation) + ")");
    step.back.lines = std::move(back.lines);
    if (of.empty() && !nothing && !stage.numbers.empty()) step.back.number = back.number;
    for (BackwardFlow& flow : back.flows) {
      const StageIndex to = stage.inputs[flow.input];
      if (!leads[to] || (step_of[i] && to == step_of[i]->scores)) continue;
      if (step_of[i] && std::ranges::count(step_of[i]->steps, to) == 0) flow.zero = kCancels;
      if (nothing) flow.zero = zeros[i];
      step.back.flows.push_back(std::move(flow));
      step.to.push_back(to);
    }
    if (const auto passed = passing.at(i); passed && !nothing && leads[passed->scores]) {
      pass(*this, *passed, asks_steps(graph, *passed, of));
      for (const StageIndex other : passed->steps) step_of[other] = passed;
    }
    for (std::size_t f = 0; f < step.to.size(); ++f) {
      steps[step.to[f]].active = true;
      if (step.back.flows[f].zero.empty())
        ++flows[step.to[f]];
      else
        zeros[step.to[f]] = step.back.flows[f].zero;
    }
  }
}

}  // namespace attn
