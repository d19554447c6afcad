// What the parts of the workspace of heads read: each head's figures, and what the output is without it.
#include "app/workspaces/heads/scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/canvas/steps.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/heads/view.h"
#include "core/checks/array_difference.h"

namespace attn {
namespace {

Labels names_along(const Axis& axis, std::size_t count) {
  const bool named = axis.labels && axis.labels->size() == count;
  return filled_labels(named ? *axis.labels : Labels(), count);
}

double squares_of(const Tensor& lengths, std::size_t matrix) {
  double sum = 0;
  for (std::size_t i = 0; i < lengths.rows(); ++i) {
    const auto length = static_cast<double>(lengths[{matrix, i, 0}]);
    sum += length * length;
  }
  return sum;
}

void measure_entropy(HeadsMemo& memo, const Results& results, const HeadsPlaces& l) {
  const Tensor& entropy = results.outputs[l.entropy].whole();
  const auto numbers = [&](StageIndex stage) -> const Tensor& { return results.outputs[stage].whole(); };
  for (std::size_t r = 0; r < l.heads; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < entropy.rows(); ++i) sum += static_cast<double>(entropy[{r, i, 0}]);
    memo.entropy.push_back(entropy.rows() == 0 ? 0 : sum / static_cast<double>(entropy.rows()));
    if (!l.shares) continue;
    memo.figures.push_back(
        head_figures(numbers(*l.shares), numbers(*l.chance), entropy, numbers(*l.most_entropy), r));
    memo.names.push_back(name_of(memo.figures.back()));
    memo.most_entropy = std::max(memo.most_entropy, memo.figures.back().most_entropy);
  }
}

// The sum over the queries of squares, with a head and in all: the length of a matrix.
void measure_parts(HeadsMemo& memo, const Results& results, const HeadsPlaces& l) {
  const Tensor& parts = results.outputs[l.parts].whole();
  const double all = std::sqrt(squares_of(results.outputs[l.length].whole(), 0));
  for (std::size_t r = 0; r < l.heads; ++r) {
    memo.change.push_back(std::sqrt(squares_of(parts, r)) / all);
    std::size_t most = 0;
    for (std::size_t i = 1; i < parts.rows(); ++i)
      if (parts[{r, i, 0}] > parts[{r, most, 0}]) most = i;
    memo.moved.push_back(most);
  }
}

void order_heads(HeadsMemo& memo, const Results& results, const HeadsPlaces& l) {
  memo.order.resize(l.heads);
  std::iota(memo.order.begin(), memo.order.end(), std::size_t{0});
  switch (results.document.heads.order) {
    case HeadOrder::index:
      return;
    case HeadOrder::entropy:
      std::ranges::stable_sort(memo.order, {}, [&](std::size_t r) {
        return std::isnan(memo.entropy[r]) ? HUGE_VAL : memo.entropy[r];
      });
      return;
    case HeadOrder::alike:
      memo.order = order_by_likeness(results.outputs[l.likeness].whole());
  }
}

void begin_groupings(HeadsMemo& memo, const LayerSpec& layer) {
  for (const std::size_t count : group_counts(layer))
    memo.groupings.push_back({count, layer_parameters(layer, count), cache_bytes(layer, count)});
  if (!memo.groupings.empty()) memo.groupings.front().distance = 0;
}

void take_deferred(HeadsMemo& memo, const DeferredResults& deferred) {
  for (; memo.pieces_taken < std::min(deferred.done, memo.groupings.size()); ++memo.pieces_taken) {
    memo.groupings[memo.pieces_taken].distance =
        relative_distance(deferred.outputs[memo.pieces_taken].values(), deferred.outputs[0].values());
  }
}

void make(HeadsMemo& memo, const Results& results) {
  memo = {};
  const HeadsPlaces& l = *results.places.as<HeadsPlaces>();
  const Stage& weights = results.graph.stages[l.weights];
  memo.queries = names_along(weights.rows, weights.shape.rows);
  memo.keys = names_along(weights.columns, weights.shape.columns);
  measure_entropy(memo, results, l);
  measure_parts(memo, results, l);
  order_heads(memo, results, l);
  begin_groupings(memo, results.document.layer());
}

// The query of the number that is pinned or pointed at stays the row when that is let go.
void follow_row(const Frame& frame, const Results& results) {
  const auto& focus = frame.view.focus();
  const auto stage = focus ? results.graph.find(focus->stage) : std::nullopt;
  if (stage && results.graph.stages[*stage].rows.along == Axis::queries)
    frame.view.of<HeadsView>().row = focus->cell.row;
}

}  // namespace

bool HeadsScene::muted(std::size_t which) const {
  return std::ranges::binary_search(frame.layer().muted_heads, which);
}

// The step of the stage bar where it has a matrix of queries and keys for each head, else the weights.
StageIndex HeadsScene::map() const {
  if (places().map) return *places().map;
  const auto chosen = place_of(frame.steps, frame.canvas().step);
  if (chosen)
    for (const StageIndex stage : frame.steps[*chosen].stages) {
      const Stage& s = results.graph.stages[stage];
      if (stage < results.outputs.size() && s.traced && s.drawn != Drawn::never &&
          s.shape == weights().shape() && s.role != Role::bias)
        return stage;
    }
  return places().weights;
}

double HeadsScene::change_at(std::size_t which, std::size_t query) const {
  return static_cast<double>(numbers(places().parts)[{which, query, 0}]) /
         static_cast<double>(numbers(places().length)[{0, query, 0}]);
}

HeadsMemo& heads_memo(Memos& memos, const std::shared_ptr<const Results>& results) {
  return memos.of<HeadsMemo>(results, make);
}

std::optional<HeadsScene> heads_scene(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return std::nullopt;
  HeadsMemo& memo = heads_memo(frame.memos, frame.engine.results);
  if (const auto& deferred = frame.engine.deferred; deferred && deferred->results == frame.engine.results)
    take_deferred(memo, *deferred);
  follow_row(frame, *frame.results);
  HeadsScene scene{
      .frame = frame, .results = *frame.results, .spec = frame.results->document.heads, .memo = memo};
  if (scene.weights().shape().size() == 0) return std::nullopt;
  scene.head = std::min(frame.view.layer.head, scene.heads() - 1);
  scene.row = std::min(frame.view.of<HeadsView>().row, scene.weights().rows() - 1);
  return scene;
}

std::string share_text(double value, int decimals) {
  return std::isfinite(value) ? inspector::write(value, {decimals, false}) : "–";
}

std::string name_and_number(const HeadsScene& scene, std::size_t head) {
  if (scene.memo.names.empty()) return "too many tokens to name";
  const HeadName& name = scene.memo.names[head];
  return std::string(title_of(name)) + (name.kind ? " " + share_text(name.number, 2) : "");
}

std::size_t looked_at_groups(const HeadsSpec& spec, const LayerSpec& layer) {
  const std::size_t own = kv_head_count(layer);
  return spec.kv_heads > 0 && own % spec.kv_heads == 0 ? spec.kv_heads : own;
}

}  // namespace attn
