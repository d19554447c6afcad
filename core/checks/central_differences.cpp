// Central differences: the graph in double again and again, of what a nudged number reaches.
#include "core/checks/central_differences.h"

#include <algorithm>
#include <cmath>

#include "core/reference/backend.h"

namespace attn {
namespace {

double largest_in(const Tensor64& tensor) {
  double largest = 0;
  for (const double x : tensor.values())
    if (!std::isnan(x)) largest = std::max(largest, std::abs(x));
  return largest;
}

// How far the loss moves when every number is rounded by its last digit, in units of that digit: roundings
// are independent.
double rounding_in(const Tensor64& tensor, const Tensor64& gradient) {
  double squares = 0;
  for (std::size_t i = 0; i < tensor.values().size(); ++i) {
    const double moves = tensor.values()[i] * gradient.values()[i];
    if (std::isfinite(moves)) squares += moves * moves;
  }
  return std::sqrt(squares);
}

}  // namespace

Difference Difference::beside(double other, double accepted) const {
  Difference found = *this;
  found.gradient = other;
  const double apart = std::abs(other - quotient);
  found.error = found.share = 0;
  if (apart == 0) return found;  // 0 against exactly 0 is equal
  const double scale = std::max({std::abs(other), std::abs(quotient), least_scale});
  found.error = apart / scale;
  found.share = apart / std::max(accepted, rounding);
  return found;
}

Load load_in_double(const Graph& graph) {
  Load load;
  for (const Stage& stage : graph.stages) load.results += sizeof(double) * std::uint64_t{stage.shape.size()};
  return load;
}

CentralDifferences::CentralDifferences(const Graph& graph, const Gradients& gradients, InPieces)
    : graph_(graph), gradients_(gradients) {
  asked_.assign(graph.stages.size(), false);
  asked_[gradients.loss] = true;
  for (const auto& gradient : gradients.of)
    if (gradient) asked_[*gradient] = true;
  for (StageIndex i = graph.stages.size(); i-- > 0;)
    for (const StageIndex input : graph.stages[i].inputs)
      if (asked_[i]) asked_[input] = true;
  largest_.assign(graph.stages.size(), 0);
}

CentralDifferences::CentralDifferences(const Graph& graph, const Gradients& gradients)
    : CentralDifferences(graph, gradients, InPieces{}) {
  while (!prepare()) {
  }
}

bool CentralDifferences::prepare() {
  if (outputs_.size() == graph_.stages.size()) return true;
  const StageIndex next = outputs_.size();
  const Stage& stage = graph_.stages[next];
  std::vector<Tensor64> inputs;
  for (const StageIndex input : stage.inputs) inputs.push_back(outputs_[input]);
  outputs_.push_back(asked_[next] ? run_in_double(stage.operation, inputs) : Tensor64());
  if (outputs_.size() < graph_.stages.size()) return false;
  for (StageIndex i = 0; i < gradients_.of.size(); ++i)
    if (gradients_.of[i]) {
      const Tensor64& gradient = outputs_[*gradients_.of[i]];
      largest_[i] = largest_in(gradient);
      rounding_ = std::max(rounding_, 0x1p-52 * rounding_in(outputs_[i], gradient));
    }
  return true;
}

double CentralDifferences::loss() const {
  return outputs_[gradients_.loss].values()[0];
}

std::vector<StageIndex> CentralDifferences::inputs() const {
  std::vector<StageIndex> found;
  for (StageIndex i = 0; i < gradients_.of.size(); ++i)
    if (gradients_.of[i] && graph_.stages[i].inputs.empty()) found.push_back(i);
  return found;
}

const std::vector<StageIndex>& CentralDifferences::behind(StageIndex stage) {
  if (behind_of_ == stage) return behind_;
  std::vector<bool> reads(gradients_.loss + 1), asked(gradients_.loss + 1);
  reads.at(stage) = asked[gradients_.loss] = true;
  for (StageIndex i = stage + 1; i <= gradients_.loss; ++i)
    reads[i] = std::ranges::any_of(graph_.stages[i].inputs, [&](StageIndex input) { return reads[input]; });
  for (StageIndex i = gradients_.loss + 1; i-- > 0;)
    for (const StageIndex input : graph_.stages[i].inputs)
      if (asked[i]) asked[input] = true;
  behind_.clear();
  for (StageIndex i = stage + 1; i <= gradients_.loss; ++i)
    if (reads[i] && asked[i]) behind_.push_back(i);
  behind_of_ = stage;
  return behind_;
}

const Tensor64& CentralDifferences::output(const Nudge::Run& run, StageIndex stage) const {
  const auto moved = std::ranges::find(run.moved, stage, &std::pair<StageIndex, Tensor64>::first);
  return moved != run.moved.end() ? moved->second : outputs_[stage];
}

bool CentralDifferences::step(const Nudge& nudge, Nudge::Run& run, double change) {
  const std::vector<StageIndex>& behind = this->behind(nudge.stage);
  if (run.moved.empty()) {
    const Tensor64& at = outputs_[nudge.stage];
    std::vector<double> values(at.values().begin(), at.values().end());
    values[at.index(nudge.cell)] += change;
    run.moved.emplace_back(nudge.stage, Tensor64(at.shape(), std::move(values)));
  }
  if (run.done < behind.size()) {
    const StageIndex i = behind[run.done++];
    const Stage& stage = graph_.stages[i];
    std::vector<Tensor64> inputs;
    for (const StageIndex input : stage.inputs) inputs.push_back(output(run, input));
    run.moved.emplace_back(i, run_in_double(stage.operation, inputs));
    if (stage.traits.bends || stage.traits.steps)
      for (const double x : run.moved.back().second.values())
        run.sides.push_back(stage.traits.bends ? x > 0 : x);
  }
  if (run.done < behind.size()) return false;
  run.loss = output(run, gradients_.loss).values()[0];
  return true;
}

bool CentralDifferences::step(Nudge& nudge) {
  if (nudge.run < nudge.runs.size()) {
    Nudge::Run& run = nudge.runs[nudge.run];
    if (!step(nudge, run, nudge.run == 0 ? nudge.h : -nudge.h)) return false;
    run.moved.clear();
    ++nudge.run;
  }
  return nudge.run == nudge.runs.size();
}

Difference CentralDifferences::found(const Nudge& nudge) const {
  const auto& [above, below] = nudge.runs;
  const Difference found{.stage = nudge.stage,
                         .cell = nudge.cell,
                         .number = outputs_[nudge.stage][nudge.cell],
                         .above = above.loss,
                         .below = below.loss,
                         .quotient = (above.loss - below.loss) / (2 * nudge.h),
                         .crosses = above.sides != below.sides,
                         .least_scale = kLeastScale * largest_[nudge.stage],
                         .rounding = 8 * rounding_ / nudge.h};  // two losses, some stages deep
  const double gradient = outputs_[*gradients_.of[nudge.stage]][nudge.cell];
  const double scale = std::max({std::abs(gradient), std::abs(found.quotient), found.least_scale});
  return found.beside(gradient, kDifferenceAccepted * scale);
}

Difference CentralDifferences::at(StageIndex stage, Cell cell, double h) {
  Nudge nudge{.stage = stage, .cell = cell, .h = h};
  while (!step(nudge)) {
  }
  return found(nudge);
}

double CentralDifferences::loss_if(StageIndex stage, Cell cell, double change) {
  const Nudge nudge{.stage = stage, .cell = cell};
  Nudge::Run run;
  while (!step(nudge, run, change)) {
  }
  return run.loss;
}

EveryDifference::EveryDifference(CentralDifferences& differences, const Graph& graph, Beside beside, double h)
    : differences_(differences),
      graph_(graph),
      beside_(std::move(beside)),
      h_(h),
      inputs_(differences.inputs()) {
  for (const StageIndex input : inputs_) check_.all += graph.stages[input].shape.size();
}

// Of the next number; whether there is one.
bool EveryDifference::begin() {
  while (input_ < inputs_.size() && number_ == graph_.stages[inputs_[input_]].shape.size())
    ++input_, number_ = 0;
  if (input_ == inputs_.size()) return false;
  const StageIndex stage = inputs_[input_];
  nudge_ = {.stage = stage, .cell = cell_at(graph_.stages[stage].shape, number_++), .h = h_};
  return true;
}

bool EveryDifference::step() {
  if (!nudge_ && !begin()) return true;
  if (!differences_.step(*nudge_)) return false;
  Difference found = differences_.found(*nudge_);
  if (beside_) found = beside_(found);
  nudge_.reset();
  ++check_.numbers, check_.crossed += found.crosses;
  // Nothing is worse than what is no number.
  const auto& worst = check_.worst;
  const bool worse = !worst || (!std::isnan(worst->share) && !(found.share <= worst->share));
  if (!found.crosses && worse) check_.worst = found;
  return check_.numbers == check_.all;
}

DifferenceCheck check_all(CentralDifferences& differences, const Graph& graph,
                          const ProgressCallback& progress) {
  EveryDifference every(differences, graph);
  while (!every.step()) {
    const DifferenceCheck& check = every.check();
    if (progress && progress(static_cast<double>(check.numbers) / static_cast<double>(check.all))) break;
  }
  return every.check();
}

}  // namespace attn
