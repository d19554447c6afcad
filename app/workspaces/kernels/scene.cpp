// Where the parts of the workspace of kernels lie, and what they read.
#include "app/workspaces/kernels/scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/workspaces/kernels/view.h"
#include "core/kernels/fields.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kKernelsGapY = 14;
constexpr float kMapHeight = 300, kLayerHeight = 390, kTableHeight = 300;
constexpr std::size_t kTruthSamples = 241, kListedPoints = 9;

Samples truth_samples(const KernelsSpec& spec, bool heights) {
  std::vector<float> values;
  for (std::size_t i = 0; i < kTruthSamples; ++i) {
    const double x = spec.first + (spec.last - spec.first) * static_cast<double>(i) / (kTruthSamples - 1);
    values.push_back(static_cast<float>(heights ? true_value(truth_of(spec), spec.noise, x) : x));
  }
  return Samples::of(std::move(values));
}

using Errors = std::vector<std::pair<double, float>>;

std::optional<BestWidth> least_of(const Errors& errors) {
  std::optional<BestWidth> best;
  for (const auto& [width, error] : errors)
    if (std::isfinite(error) && (!best || static_cast<double>(error) < best->error))
      best = BestWidth{width, static_cast<double>(error)};
  return best;
}

std::size_t count_gaps(const Tensor& estimate) {
  std::size_t gaps = 0;
  for (std::size_t i = 0; i < estimate.rows(); ++i) gaps += std::isnan(estimate[{0, i, 0}]);
  return gaps;
}

void begin_curves(KernelsMemo& memo, const Results& results, const KernelsPlaces& places) {
  const KernelsSpec& spec = results.document.kernels;
  memo.candidates = candidate_numbers(places.sorted, spec.width_rule);
  memo.pieces = kernels_pieces(spec, places.sorted.keys.rows(), memo.candidates.size());
  for (const KernelStages& curve : places.curves) {
    Errors errors;
    if (curve.errors)
      for (std::size_t i = 0; i < memo.candidates.size(); ++i)
        errors.emplace_back(memo.candidates[i], results.outputs[*curve.errors].whole().values()[i]);
    memo.best.push_back(least_of(errors));
    memo.errors.push_back(std::move(errors));
    memo.gaps.push_back(count_gaps(results.outputs[curve.estimate].whole()));
    memo.curve_x.push_back(Samples::of(results.outputs[places.queries].whole()));
    memo.curve_y.push_back(results.outputs[curve.estimate].whole());
  }
}

// Between the queries that were read at once: the places that are known, in order.
void refine(KernelsMemo& memo, const Tensor& queries, const KernelsPiece& piece, const Tensor& estimate) {
  const Samples& x = memo.curve_x[piece.curve];
  const Tensor& y = memo.curve_y[piece.curve];
  const auto all = queries.values();
  const float low = all[piece.first], high = all[piece.first + piece.count - 1];
  const bool up = all.back() >= all.front();
  std::vector<float> at, to;
  const auto keep = [&](bool before) {
    for (std::size_t i = 0; i < x.count; ++i) {
      const auto place = static_cast<float>(x[i]);
      if (!(before == up ? place < (up ? low : high) : place > (up ? high : low))) continue;
      at.push_back(place);
      for (std::size_t c = 0; c < y.columns(); ++c) to.push_back(y[{0, i, c}]);
    }
  };
  keep(true);
  const auto part = all.subspan(piece.first, piece.count);
  at.insert(at.end(), part.begin(), part.end());
  to.insert(to.end(), estimate.values().begin(), estimate.values().end());
  keep(false);
  const std::size_t rows = at.size(), columns = y.columns();
  memo.curve_x[piece.curve] = Samples::of(std::move(at));
  memo.curve_y[piece.curve] = Tensor({1, rows, columns}, std::move(to));
}

void add_error(KernelsMemo& memo, const KernelsPlaces& places, const KernelsPiece& piece, float error) {
  const double width = memo.candidates[*piece.candidate];
  const Kernel kernel = places.curves[piece.curve].curve.kernel;
  for (std::size_t curve = 0; curve < memo.errors.size(); ++curve) {
    if (places.curves[curve].curve.kernel != kernel) continue;
    Errors& errors = memo.errors[curve];
    errors.insert(std::ranges::upper_bound(errors, width, {}, &Errors::value_type::first), {width, error});
    memo.best[curve] = least_of(errors);
  }
}

void take_deferred(KernelsMemo& memo, const DeferredResults& deferred) {
  if (deferred.done <= memo.pieces_taken) return;
  const Tensor queries = queries_of(deferred.results->document.kernels);
  const KernelsPlaces& places = *deferred.results->places.as<KernelsPlaces>();
  for (; memo.pieces_taken < std::min(deferred.done, memo.pieces.size()); ++memo.pieces_taken) {
    const KernelsPiece& piece = memo.pieces[memo.pieces_taken];
    const Tensor& output = deferred.outputs[memo.pieces_taken];
    if (piece.candidate)
      add_error(memo, places, piece, output.values()[0]);
    else
      refine(memo, queries, piece, output);
  }
  memo.seen = 0;
}

void make(KernelsMemo& memo, const Results& results) {
  const KernelsSpec& spec = results.document.kernels;
  const KernelsPlaces& places = *results.places.as<KernelsPlaces>();
  memo = {};
  if (places.curves.empty()) return;
  begin_curves(memo, results, places);
  if (truth_of(spec) != PointSet::own)
    memo.truth_x = truth_samples(spec, false), memo.truth_y = truth_samples(spec, true);
}

}  // namespace

KernelsMemo& kernels_memo(Memos& memos, const EngineState& shown) {
  KernelsMemo& memo = memos.of<KernelsMemo>(shown.results, make);
  if (shown.deferred && shown.deferred->results == shown.results) take_deferred(memo, *shown.deferred);
  return memo;
}

std::size_t looked_at_query(const Results& results, const KernelsView& view) {
  const auto queries = results.outputs[results.places.as<KernelsPlaces>()->queries].whole().values();
  const auto apart = [&](float query) { return std::abs(static_cast<double>(query) - view.q); };
  return static_cast<std::size_t>(std::ranges::min_element(queries, {}, apart) - queries.begin());
}

KernelsAreas kernels_areas(const KernelsScene& scene, ImVec2 canvas) {
  KernelsAreas a;
  const Theme& theme = scene.frame.theme;
  const float margin = theme.px(kSceneMargin), gap = theme.px(kSceneGap), below = theme.px(kKernelsGapY);
  Shelf shelf{margin, canvas.x - margin, theme.px(8)};
  const float width = shelf.right - shelf.left;
  if (width >= theme.px(kRoomyScene)) {
    const Rect first = shelf.take(std::clamp(canvas.y * 0.53f, theme.px(330), theme.px(760)), below);
    a.estimate = part_of(first, 0, 0.7f, gap);
    const Rect right = part_of(first, 0.7f, 1, gap);
    const float middle = right.min.y + right.height() * 0.45f;
    a.kernels = {right.min, {right.max.x, middle - below / 2}};
    a.left_out = {{right.min.x, middle + below / 2}, right.max};
  } else {
    a.estimate = shelf.take(theme.px(330), below);
    a.kernels = shelf.take(theme.px(190), below);
    a.left_out = shelf.take(theme.px(210), below);
  }
  a.weights = shelf.take(theme.px(24) + shared_height(theme, width, scene.curves.size(), kMapHeight), below);
  a.layer = shelf.take(theme.px(kLayerHeight), below);
  a.table = shelf.take(theme.px(kTableHeight), margin);
  a.content = {canvas.x, shelf.y};
  return a;
}

std::optional<KernelsScene> kernels_scene(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return std::nullopt;
  const KernelsSpec& spec = frame.results->document.kernels;
  KernelsView& view = frame.view.of<KernelsView>();
  KernelsMemo& memo = kernels_memo(frame.memos, frame.engine);
  KernelsScene scene{.frame = frame, .results = *frame.results, .spec = spec, .memo = memo, .curves = {}};
  scene.query = looked_at_query(*frame.results, view);
  if (scene.places().curves.empty()) return scene;
  scene.curves = curves_of(spec);
  scene.shown = std::min(view.shown, scene.curves.size() - 1);
  scene.value = std::min(view.value, scene.values() - 1);
  return scene;
}

double KernelsScene::estimate(std::size_t curve) const {
  return static_cast<double>(numbers(stages(curve).estimate)[{0, query, value}]);
}

std::string KernelsScene::title(std::size_t curve) const {
  const bool kernels = spec.kernels.size() > 1 || spec.width_rule == WidthRule::neighbours;
  return kernels ? std::string(kernel_text(curves[curve].kernel).title) : "σ " + brief(curves[curve].width);
}

std::size_t KernelsScene::values() const {
  return places().sorted.values.columns();
}

const QueryRow& row_of(KernelsScene& scene) {
  KernelsMemo& memo = scene.memo;
  if (memo.known && memo.query == scene.query && memo.shown == scene.shown) return memo.row;
  memo.known = true, memo.query = scene.query, memo.shown = scene.shown;
  memo.row = query_row(scene.spec, scene.places().sorted, scene.curves[scene.shown], scene.q());
  // The weights of the device, where it made them: they may have been typed over.
  if (const auto weights = scene.stages(scene.shown).weights) {
    const Tensor& all = scene.numbers(*weights);
    for (std::size_t j = 0; j < all.columns(); ++j)
      memo.row.shares[j] = static_cast<double>(all[{0, scene.query, j}]);
  }
  const std::vector<double>& shares = memo.row.shares;
  double most = 0;
  for (const double share : shares) most = std::max(most, share);
  std::vector<float> shades(shares.size());
  for (std::size_t j = 0; j < shares.size(); ++j) {
    const double part = most > 0 ? shares[j] / most : 0;
    // Points that hardly count stay grey; the others begin in the middle of the map, to be seen.
    shades[scene.places().sorted.order[j]] =
        part >= 1e-3 ? static_cast<float>(0.35 + 0.65 * part) : std::nanf("");
  }
  memo.shades = Samples::of(std::move(shades));
  memo.nearest.resize(shares.size());
  std::iota(memo.nearest.begin(), memo.nearest.end(), std::size_t{0});
  const std::size_t listed = std::min(kListedPoints, shares.size());
  std::ranges::partial_sort(memo.nearest, memo.nearest.begin() + static_cast<std::ptrdiff_t>(listed),
                            std::greater(),
                            [&](std::size_t j) { return std::isnan(shares[j]) ? 0 : shares[j]; });
  memo.nearest.resize(listed);
  memo.stems_x = {};
  memo.height = 0;
  return memo.row;
}

Tensor shown_points(const KernelsScene& scene) {
  const KernelsSpec& now = scene.frame.draft.kernels;
  if (now.set == PointSet::own) return now.points;
  return scene.curves.empty() ? Tensor() : scene.numbers(scene.places().points);
}

void set_width(KernelsSpec& spec, double width) {
  if (spec.width_rule == WidthRule::neighbours)
    spec.neighbours = static_cast<std::size_t>(
        std::clamp(std::round(width), 1.0, static_cast<double>(kernels_field::kMostPoints)));
  else
    spec.widths[0] = std::clamp(width, kernels_field::kLeastWidth, kernels_field::kMostWidth);
}

std::optional<BestWidth> best_width(const KernelsScene& scene) {
  return scene.curves.empty() ? std::nullopt : scene.memo.best[scene.shown];
}

void follow_rows(KernelsScene& scene, const std::string& stage) {
  const View& view = scene.frame.view;
  if (!view.hovered || view.hovered->stage != stage || view.hovered->cell.row >= scene.queries()) return;
  const auto queries = scene.numbers(scene.places().queries).values();
  scene.view().q = static_cast<double>(queries[view.hovered->cell.row]);
}

}  // namespace attn
