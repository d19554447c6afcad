// Numbers of two results held against each other.
#include "core/checks/changes.h"

#include <algorithm>

#include "core/checks/comparison.h"

namespace attn {
namespace {

constexpr std::size_t kRunsApart = 256;  // parts of a row: runs that are nearer are one

// By flash attention and by stages the same number is rounded differently.
bool is_fused(const Results& results) {
  return results.bands && results.bands->fused;
}

void count_changes(const Tensor& before, const Tensor& now, bool rounded, StageChange& change) {
  const Shape shape = now.shape();
  const std::span<const float> a = before.values(), b = now.values();
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!is_changed(a[i], b[i]) || (rounded && distance(a[i], b[i]) <= accepted_distance(b[i]))) continue;
    const Cell cell = cell_at(shape, i);
    ++change.count;
    const ChangedRun* last = change.runs.empty() ? nullptr : &change.runs.back();
    if (!last || last->row != cell.row || last->head != cell.head ||
        cell.column - last->end > shape.columns / kRunsApart)
      change.runs.push_back({cell.head, cell.row, cell.column, cell.column});
    change.runs.back().end = cell.column + 1;
    const double off = distance(a[i], b[i]);
    if (off <= change.largest) continue;
    change.largest = off;
    change.at = cell;
    change.before = a[i];
    change.now = b[i];
  }
}

}  // namespace

bool is_changed(float before, float now) {
  return before != now && (before == before || now == now);
}

const StageChange* Changes::of(StageIndex stage) const {
  const auto found = std::ranges::find(stages, stage, &StageChange::stage);
  return found == stages.end() ? nullptr : &*found;
}

const StageChange* Changes::largest() const {
  const StageChange* found = nullptr;
  for (const StageChange& change : stages)
    if (change.count > 0 && (!found || change.largest > found->largest)) found = &change;
  return found;
}

Changes changes(const Results& before, const Results& now) {
  Changes result;
  for (StageIndex i = 0; i < now.graph.stages.size(); ++i) {
    if (now.graph.stages[i].drawn == Drawn::never || !now.outputs[i].here()) continue;
    const Tensor& values = now.outputs[i].whole();
    const StageResult then = before.result(now.graph.stages[i].id);
    if (then.here() && then.whole().id() == values.id()) continue;
    const bool rounded = is_fused(before) != is_fused(now) && now.bands && now.bands->kept[i];
    StageChange change{.stage = i};
    change.fresh = !then.here();
    if (!change.fresh && then.shape() != values.shape()) change.shape = then.shape();
    if (!change.fresh && !change.shape) count_changes(then.whole(), values, rounded, change);
    result.count += change.count;
    if (change.fresh || change.shape || change.count > 0) result.stages.push_back(std::move(change));
  }
  return result;
}

}  // namespace attn
