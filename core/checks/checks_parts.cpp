// Saturated rows, sinks, and masks that are nearly a rule.
#include "core/checks/checks_parts.h"

#include <algorithm>
#include <limits>

namespace attn::checking {
namespace {

constexpr double kCollapsed = 0.01;  // of the largest entropy
constexpr std::size_t kLeastKeys = 3;

// The two largest scores apart; ∞ where one of them is.
double gap_of(std::span<const float> scores) {
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  double best = kLowest, second = kLowest;
  for (const float score : scores) {
    const double s = score;
    if (s > best)
      second = std::exchange(best, s);
    else if (s > second)
      second = s;
  }
  return best == second ? 0 : best - second;
}

// The stage on a canvas whose cells the mask hides first: the one to look at.
std::optional<StageIndex> hidden_by(const Graph& graph, StageIndex mask) {
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (graph.stages[i].mask == mask && graph.stages[i].drawn == Drawn::always) return i;
  return std::nullopt;
}

}  // namespace

void check_saturation(const WeightRow& row, std::size_t left, const Entropy& entropy,
                      RowSaturation& saturation) {
  if (left < 2) return;
  ++saturation.rows;
  const auto largest = std::ranges::max_element(row.weights);
  const Cell where{row.head, row.query, static_cast<std::size_t>(largest - row.weights.begin())};
  if (const double weight = *largest; weight > saturation.largest_weight) {
    saturation.largest_weight = weight;
    saturation.gap = gap_of(row.input);
    saturation.where = where;
  }
  if (entropy.nats >= kCollapsed * entropy.maximum) return;
  if (saturation.collapsed++ == 0) saturation.first_collapsed = where;
}

void Columns::add(const WeightRow& row) {
  for (std::size_t key = 0; key < row.weights.size(); ++key) {
    const float weight = row.weights[key];
    sums_[key] += static_cast<double>(weight);
    if (weight > most_[key].weight) most_[key] = {weight, row.query};
  }
}

void Columns::find_sink(std::size_t head, std::vector<AttentionSink>& sinks) const {
  if (sums_.size() < kLeastKeys) return;
  double all = 0;
  for (const double sum : sums_) all += sum;
  const auto largest = std::ranges::max_element(sums_);
  if (!(*largest > all / 2)) return;
  const auto key = static_cast<std::size_t>(largest - sums_.begin());
  sinks.push_back(
      {.head = head, .key = key, .share = *largest / all, .where = {head, most_[key].query, key}});
}

std::optional<std::vector<MaskCheck>> check_masks(const Results& results,
                                                  const std::function<bool()>& give_up) {
  std::vector<MaskCheck> found;
  for (StageIndex i = 0; i < results.graph.stages.size(); ++i) {
    const Stage& stage = results.graph.stages[i];
    if (stage.role != Role::mask || stage.inputs.empty() || stage.computed_from) continue;
    if (!results.graph.stages[stage.inputs[0]].given()) continue;
    const auto shown = hidden_by(results.graph, i);
    if (!results.outputs[stage.inputs[0]].here() || !shown) continue;
    const Tensor& user = results.outputs[stage.inputs[0]].whole();
    const std::size_t heads = results.graph.stages[*shown].shape.stack;
    for (std::size_t matrix = 0; matrix < user.stack(); ++matrix) {
      auto like = likeness_of(user, matrix, give_up);
      if (give_up && give_up()) return std::nullopt;
      if (!like) continue;
      like->first.head = matrix * heads / user.stack();
      found.push_back({*shown, std::move(*like)});
    }
  }
  return found;
}

}  // namespace attn::checking
