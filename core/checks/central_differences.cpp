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

CentralDifferences::CentralDifferences(const Graph& graph, const Gradients& gradients)
    : graph_(graph), gradients_(gradients), outputs_(evaluate_in_double(graph)) {
  largest_.assign(graph.stages.size(), 0);
  for (StageIndex i = 0; i < gradients.of.size(); ++i)
    if (gradients.of[i]) {
      const Tensor64& gradient = outputs_[*gradients.of[i]];
      largest_[i] = largest_in(gradient);
      rounding_ = std::max(rounding_, 0x1p-52 * rounding_in(outputs_[i], gradient));
    }
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

CentralDifferences::Run CentralDifferences::run(StageIndex stage, Cell cell, double change) {
  std::vector<std::pair<StageIndex, Tensor64>> before;
  const auto put = [&](StageIndex i, Tensor64 tensor) {
    before.emplace_back(i, std::exchange(outputs_[i], std::move(tensor)));
  };
  const Tensor64& at = outputs_[stage];
  std::vector<double> values(at.values().begin(), at.values().end());
  values[at.index(cell)] += change;
  put(stage, Tensor64(at.shape(), std::move(values)));
  Run found;
  for (const StageIndex i : behind(stage)) {
    std::vector<Tensor64> inputs;
    for (const StageIndex input : graph_.stages[i].inputs) inputs.push_back(outputs_[input]);
    put(i, run_in_double(graph_.stages[i].operation, inputs));
    const Traits& traits = graph_.stages[i].traits;
    for (const double x : outputs_[i].values())
      if (traits.bends || traits.steps) found.sides.push_back(traits.bends ? x > 0 : x);
  }
  found.loss = loss();
  for (auto& [i, tensor] : before) outputs_[i] = std::move(tensor);
  return found;
}

Difference CentralDifferences::at(StageIndex stage, Cell cell, double h) {
  const Run above = run(stage, cell, h), below = run(stage, cell, -h);
  Difference found{.stage = stage,
                   .cell = cell,
                   .gradient = outputs_[*gradients_.of[stage]][cell],
                   .above = above.loss,
                   .below = below.loss,
                   .quotient = (above.loss - below.loss) / (2 * h),
                   .crosses = above.sides != below.sides};
  const double apart = std::abs(found.gradient - found.quotient);
  if (apart != 0) {  // NaN as well; 0 against exactly 0 is equal
    const double scale =
        std::max({std::abs(found.gradient), std::abs(found.quotient), 1e-3 * largest_[stage]});
    found.error = apart / scale;
    found.share =
        apart / std::max(kDifferenceAccepted * scale, 8 * rounding_ / h);  // two losses, some stages deep
  }
  return found;
}

DifferenceCheck check_all(CentralDifferences& differences, const Graph& graph,
                          const ProgressCallback& progress) {
  const std::vector<StageIndex> inputs = differences.inputs();
  double total = 0;
  for (const StageIndex input : inputs) total += static_cast<double>(graph.stages[input].shape.size());
  DifferenceCheck check;
  for (const StageIndex input : inputs) {
    const Shape shape = graph.stages[input].shape;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (progress && progress(static_cast<double>(check.numbers) / total)) return check;
      const Difference found = differences.at(input, cell_at(shape, i));
      ++check.numbers, check.crossed += found.crosses;
      if (found.crosses) continue;
      if (!check.worst || !(found.share <= check.worst->share)) check.worst = found;
    }
  }
  return check;
}

}  // namespace attn
