// What the parts of the workspace of the softmax read, and the key that they are about.
#include "app/workspaces/softmax/scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/workspaces/softmax/view.h"
#include "core/document/layer_plan.h"
#include "core/operations/weighting.h"

namespace attn {
namespace {

constexpr std::size_t kListedRows = 12;
constexpr std::size_t kMostNorms = 40'000;  // weights that norms at all temperatures are made from

// The limit of temperature 0: what the ties share.
Saturation hard_saturation(Saturation s, const std::vector<double>& weights) {
  const auto ties =
      static_cast<double>(weights.size()) - static_cast<double>(std::ranges::count(weights, 0.0));
  s.gap = ties > 1 ? 0 : HUGE_VAL;
  s.rest = ties > 0 ? 1 - 1 / ties : 0;
  s.rest_bound = ties > 1 ? static_cast<double>(s.left) - 1 : 0;
  s.entropy = row_figure(RowFigure::entropy, weights);
  s.gradient = 0;
  for (const double a : weights) s.gradient = std::max(s.gradient, a * (1 - a));
  s.norm = jacobian_norm(weights);
  return s;
}

Tensor hidden_of(const Tensor& scores) {
  std::vector<float> hidden(scores.columns());
  bool any = false;
  for (std::size_t key = 0; key < hidden.size(); ++key)
    if (scores[{0, 0, key}] == -HUGE_VALF) hidden[key] = 1, any = true;
  return any ? Tensor(scores.shape(), std::move(hidden)) : Tensor();
}

void measure_row(SoftmaxMemo& memo, const Results& results, const SoftmaxPlaces& places) {
  memo.hidden = hidden_of(results.outputs[places.input].whole());
  const auto doubles = [&](StageIndex stage) {
    const auto values = results.outputs[stage].whole().values();
    return std::vector<double>(values.begin(), values.end());
  };
  memo.tempered = doubles(places.tempered), memo.weights = doubles(places.softmax.weights);
  memo.saturation = saturation_of(memo.tempered);
  if (results.document.softmax.temperature == 0)
    memo.saturation = hard_saturation(memo.saturation, memo.weights);
  memo.log_sum = log_sum_exp(memo.tempered);
  memo.sum = doubles(*places.softmax.sum)[0];
  memo.heaviest.resize(memo.weights.size());
  std::iota(memo.heaviest.begin(), memo.heaviest.end(), std::size_t{0});
  const auto weight = [&](std::size_t key) {
    return std::isnan(memo.weights[key]) ? HUGE_VAL : memo.weights[key];
  };
  std::ranges::stable_sort(memo.heaviest, std::greater(), weight);
  if (memo.heaviest.size() > kListedRows) memo.heaviest.resize(kListedRows - 1);
  memo.row_sums = 0;
  if (!places.jacobian) return;
  const Tensor& jacobian = results.outputs[*places.jacobian].whole();
  for (std::size_t row = 0; row < jacobian.rows(); ++row) {
    const double sum =
        sum_of_numbers(jacobian.values().subspan(row * jacobian.columns(), jacobian.columns()));
    if (!(std::abs(sum) <= memo.row_sums)) memo.row_sums = std::abs(sum);
  }
}

void measure_curves(SoftmaxMemo& memo, const Results& results, const SoftmaxPlaces& places) {
  const Tensor& weights = results.outputs[places.curves.weights].whole();
  memo.entropy = Samples::of(results.outputs[places.curves.entropy].whole());
  if (memo.curves == weights.id()) return;
  memo.curves = weights.id();
  std::vector<float> temperatures, at, norms;
  for (std::size_t row = 0; row < kTemperatures; ++row)
    temperatures.push_back(static_cast<float>(curve_temperature(row)));
  const std::size_t stride = 1 + kTemperatures * weights.columns() / kMostNorms;
  for (std::size_t row = 0; row < kTemperatures; row += stride) {
    const auto values = weights.values().subspan(row * weights.columns(), weights.columns());
    at.push_back(temperatures[row]);
    norms.push_back(static_cast<float>(jacobian_norm(std::vector<double>(values.begin(), values.end()))));
  }
  memo.temperatures = Samples::of(std::move(temperatures));
  memo.norms_t = Samples::of(std::move(at)), memo.norms = Samples::of(std::move(norms));
}

// Curves and products stay as long as their tensors do.
void make(SoftmaxMemo& memo, const Results& results) {
  const SoftmaxPlaces& places = *results.places.as<SoftmaxPlaces>();
  memo.names =
      std::make_shared<const Labels>(filled_labels(places.keys, results.outputs[places.scores].columns()));
  measure_row(memo, results, places);
  measure_curves(memo, results, places);
}

// The scores that were typed in the draft over those of the layer's row.
void apply_typed(const SoftmaxScene& scene, std::vector<float>& scores) {
  const LayerRow& from = *scene.places().from;
  for (const StageOverride& typed : overrides_of(scene.frame.draft, kLayerPlan)) {
    const Cell cell = typed.value.cell;
    const bool here = typed.stage == from.stage && cell.head == from.head && cell.row == from.query;
    if (here && cell.column < scores.size()) scores[cell.column] = typed.value.value;
  }
}

}  // namespace

SoftmaxMemo& softmax_memo(Memos& memos, const std::shared_ptr<const Results>& results) {
  return memos.of<SoftmaxMemo>(results, make);
}

std::optional<SoftmaxScene> softmax_scene(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return std::nullopt;
  SoftmaxView& view = frame.view.of<SoftmaxView>();
  SoftmaxMemo& memo = softmax_memo(frame.memos, frame.engine.results);
  SoftmaxScene scene{
      .frame = frame, .results = *frame.results, .spec = frame.results->document.softmax, .memo = memo};
  if (view.key && *view.key >= scene.keys()) view.key.reset();
  return scene;
}

std::vector<float> shown_scores(const SoftmaxScene& scene) {
  const SoftmaxSpec& draft = scene.draft();
  if (draft.source == RowSource::own && draft.scores.columns() == scene.keys())
    return {draft.scores.values().begin(), draft.scores.values().end()};
  const auto values = scene.numbers(scene.places().scores).values();
  std::vector<float> scores(values.begin(), values.end());
  if (scene.places().from && draft.source == RowSource::layer) apply_typed(scene, scores);
  return scores;
}

bool is_hidden(const SoftmaxScene& scene, std::size_t key) {
  return scene.numbers(scene.places().input)[{0, 0, key}] == -HUGE_VALF;
}

std::optional<std::size_t> looked_at(const SoftmaxScene& scene) {
  const auto& focus = scene.frame.view.focus();
  const auto stage = focus ? scene.results.graph.find(focus->stage) : std::nullopt;
  if (!stage || focus->cell.column >= scene.keys()) return std::nullopt;
  return scene.numbers(*stage).columns() == scene.keys() ? std::optional(focus->cell.column) : std::nullopt;
}

void follow_sample(SoftmaxScene& scene, const PlotEvents& events, const std::function<Spot(PlotSpot)>& spot) {
  View& view = scene.frame.view;
  if (events.hovered && events.nearest && !events.active) view.hovered = spot(*events.nearest);
  if (!events.clicked_sample) return;
  const Spot clicked = spot(*events.clicked_sample);
  if (view.pinned == clicked)
    view.pinned.reset();
  else
    view.pinned = clicked;
}

}  // namespace attn
