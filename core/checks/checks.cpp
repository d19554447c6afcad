// The checks of all weights, and the numbers that are not finite.
#include "core/checks/checks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/checks/checks_parts.h"
#include "core/checks/overflow.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

using namespace checking;

// Whether an infinity stands for "masked": asked only for cells that hold one. It does where a mask, a bias
// or a person who typed it over a score made it, and in scores of a file; other stages pass on what their
// inputs meant.
class Masked {
 public:
  explicit Masked(const Results& results) : results_(results), inputs_(results.outputs.size()) {}

  bool operator()(StageIndex index, Cell cell) {
    const Stage& stage = results_.graph.stages[index];
    const bool above = results_.outputs[index][cell] > 0;
    if (stage.given()) return (stage.role == Role::bias || stage.mask) && !above;
    if (!can_explain(results_, index, cell)) return true;  // by what bands let go: it cannot be told
    const MaskOrigin mask_origin = attn::mask_origin(stage.operation, inputs_of(index), cell);
    if (above && !mask_origin.any_sign) return false;
    if (mask_origin.here && (!stage.computed_from || stage.role == Role::score)) return true;
    const auto hidden = [&](const auto& of) {
      const auto& [input, at] = of;
      return inputs_of(index)[input][at] == -std::numeric_limits<float>::infinity() &&
             (*this)(stage.inputs[input], at);
    };
    return mask_origin.all ? std::ranges::all_of(mask_origin.of, hidden)
                           : std::ranges::any_of(mask_origin.of, hidden);
  }

 private:
  Inputs inputs_of(StageIndex index) {
    std::vector<Tensor>& inputs = inputs_[index];
    if (inputs.empty())
      for (const StageIndex input : results_.graph.stages[index].inputs)
        inputs.push_back(results_.outputs[input].whole());
    return inputs;
  }

  const Results& results_;
  std::vector<std::vector<Tensor>> inputs_;  // of the stages that were asked for
};

// Whether the exponent bits of some of them are all ones: NaN or ∞. Without a branch, so that it is fast.
bool some_not_finite(std::span<const float> values) {
  std::uint32_t found = 0;
  for (const float v : values)
    found |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(v) & 0x7F800000u) == 0x7F800000u);
  return found != 0;
}

StageFaults faults_of(const Results& results, StageIndex index) {
  Masked stands_for_masked(results);
  StageFaults faults;
  faults.stage = index;
  const Tensor& values = results.outputs[index].whole();
  for (std::size_t head = 0; head < values.stack(); ++head)
    for (std::size_t i = 0; i < values.rows(); ++i) {
      const std::span<const float> row = row_of(&values, head, i);
      if (!some_not_finite(row)) continue;
      for (std::size_t column = 0; column < row.size(); ++column) {
        if (std::isfinite(row[column])) continue;
        const Cell cell{head, i, column};
        const bool nan = std::isnan(row[column]);
        if (nan && results.graph.stages[index].gaps) continue;
        if (!nan && stands_for_masked(index, cell)) continue;
        if (faults.nan + faults.infinite == 0) faults.first = cell;
        ++(nan ? faults.nan : faults.infinite);
      }
    }
  return faults;
}

}  // namespace

std::optional<StageFaults> checking::faults_at(const Results& results, StageIndex stage) {
  if (results.summaries[stage].finite || !results.outputs[stage].here()) return std::nullopt;
  if (rounded_from(results.graph, stage) != stage) return std::nullopt;  // told of where it is rounded
  StageFaults faults = faults_of(results, stage);
  if (faults.nan + faults.infinite == 0) return std::nullopt;
  if (results.graph.stages[stage].traits.rounds_to) {
    const Tensor& before = results.outputs[results.graph.stages[stage].inputs[0]].whole();
    const auto overflow = first_overflow(results.graph, stage, {&before, 1}, results.outputs[stage].whole());
    if (overflow) faults.first = overflow->cell;
  }
  return faults;
}

std::optional<Checks> check(const Results& results, const std::function<bool()>& give_up) {
  Checks checks;
  for (StageIndex i = 0; i < results.graph.stages.size(); ++i) {
    if (!promises_sums(results.graph.stages[i]) || !results.outputs[i].here()) continue;
    SoftmaxCheck softmax(results, i);
    if (!softmax.add(results, i, 0, give_up)) return std::nullopt;
    checks.softmaxes.push_back(softmax.seen());
  }
  for (StageIndex i = 0; i < results.outputs.size(); ++i) {
    if (give_up && give_up()) return std::nullopt;
    if (results.bands && results.bands->has(i)) continue;
    if (const auto faults = faults_at(results, i)) checks.faults.push_back(*faults);
  }
  auto masks = check_masks(results, give_up);
  if (!masks) return std::nullopt;
  checks.masks = std::move(*masks);
  return checks;
}

Checks check(const Results& results) {
  return *check(results, {});
}

}  // namespace attn
