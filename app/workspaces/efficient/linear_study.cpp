// The recurrent network as a study, and the matrices of the token that it has come to.
#include <algorithm>
#include <cmath>

#include "app/workspaces/efficient/linear.h"
#include "core/attention/layer_builder.h"
#include "core/efficient/fields.h"
#include "core/efficient/road_rules.h"

namespace attn {
namespace {

// What the layer's rules leave to each query. Of the results on screen.
struct LinearRules {
  std::optional<std::vector<std::size_t>> seen = {};
  std::size_t bytes() const { return seen ? bytes_of(*seen) : 0; }
};

const LinearRules& first_keys_of(const EfficientScene& scene) {
  return scene.frame.memos.of<LinearRules>(
      scene.frame.engine.results, [&](LinearRules& rules, const Results&) {
        rules.seen = first_keys(scene.places().shown.masks, scene.queries(), scene.keys());
      });
}

LinearTask task_of(const EfficientScene& scene) {
  const LayerStages& layer = scene.places().layer;
  const bool random = scene.spec.features == FeatureKind::random;
  return {.q = scene.numbers(layer.q),
          .k = scene.numbers(layer.k),
          .v = scene.numbers(layer.v),
          .head = scene.head,
          .kind = scene.spec.features,
          .directions = random ? scene.spec.feature_count : 0,
          .seed = random ? scene.spec.seed : 0,
          .scale = score_scale(scene.places().shown, scene.stage(layer.q).shape.columns).factor,
          .seen = *first_keys_of(scene).seen};
}

Study<LinearFound> study_linear(const EfficientScene& scene) {
  const LinearTask task = task_of(scene);
  const auto begin = [&]() -> StudyStep<LinearFound> {
    return [player = std::make_shared<LinearPlayer>(task)](LinearFound& found, Backend&) {
      const bool done = player->step();
      found.task = player->task(), found.features = player->features(), found.check = player->check();
      if (player->are_read() && !found.readings)
        found.readings = std::make_shared<const LinearReadings>(player->readings());
      return done;
    };
  };
  return scene.frame.studies.of<LinearFound>("efficient.linear", task, begin);
}

Tensor rounded(Shape shape, const double* numbers) {
  std::vector<float> values(shape.size());
  std::ranges::transform(std::span(numbers, shape.size()), values.begin(),
                         [](double number) { return static_cast<float>(number); });
  return {shape, std::move(values)};
}

void fill_matrices(const LinearScene& linear, LinearMatrices& shown) {
  const LinearTask& task = linear.task();
  const LinearFeatures& features = *linear.found.features;
  const std::size_t rows = features.width, columns = task.columns();
  const std::size_t before = std::min(linear.token, task.last());
  const auto& readings = linear.found.readings;
  RecurrentState state = state_after(
      task, features, before, readings ? std::span(readings->kept) : std::span<const RecurrentState>());
  shown.before = rounded({1, rows, columns}, state.s.data());
  RecurrentState one{.s = std::vector<double>(rows * columns), .z = std::vector<double>(rows)};
  add_key(task, features, linear.token, one);
  shown.added = rounded({1, rows, columns}, one.s.data());
  if (linear.is_seen()) add_key(task, features, linear.token, state);
  shown.after = rounded({1, rows, columns}, state.s.data());
  shown.z = rounded({1, rows, 1}, state.z.data());
  shown.key = rounded({1, rows, 1}, features.key(linear.token));
  shown.query = linear.query ? rounded({1, rows, 1}, features.query(*linear.query)) : Tensor();
  std::vector<double> value;
  for (std::size_t c = 0; c < columns; ++c) value.push_back(task.value(linear.token, c));
  shown.value = rounded({1, 1, columns}, value.data());
}

}  // namespace

Road road_played(const EfficientSpec& spec) {
  return spec.features == FeatureKind::relu     ? Road::relu
         : spec.features == FeatureKind::random ? Road::random
                                                : Road::elu;
}

std::string linear_refusal(const EfficientScene& scene) {
  std::string obstacle = road_obstacle(road_played(scene.spec), scene.places().shown);
  if (obstacle.empty() && !first_keys_of(scene).seen)
    obstacle = "its mask leaves queries other keys than the first";
  return obstacle;
}

std::ptrdiff_t place_of_first_query(const EfficientScene& scene) {
  return first_place(scene.places().shown.masks, scene.queries(), scene.keys());
}

std::size_t played_token(const EfficientScene& scene) {
  return std::min(scene.view().token, scene.keys() - 1);
}

std::string feature_words(const EfficientSpec& spec) {
  if (spec.features == FeatureKind::random) return std::to_string(spec.feature_count) + " random features";
  const auto& field = efficient_field::features;
  return std::string(field.words[field.index_of(spec.features)].title);
}

std::optional<LinearScene> linear_scene(const EfficientScene& scene) {
  if (!linear_refusal(scene).empty()) return std::nullopt;
  const Study<LinearFound> study = study_linear(scene);
  if (!study.found || !study.found->features) return std::nullopt;
  LinearScene linear{.scene = scene, .found = *study.found, .stale = study.stale};
  const LinearTask& task = linear.task();
  linear.causal = find_rule<CausalRule>(scene.places().shown) != nullptr;
  linear.token = std::min(scene.view().token, task.keys() - 1);
  const std::ptrdiff_t query = static_cast<std::ptrdiff_t>(linear.token) - place_of_first_query(scene);
  if (query >= 0 && query < static_cast<std::ptrdiff_t>(task.queries()))
    linear.query = static_cast<std::size_t>(query);
  return linear;
}

LinearMatrices& linear_matrices(const LinearScene& linear) {
  LinearMatrices& shown = linear.scene.frame.memos.of<LinearMatrices>();
  if (shown.of == linear.found.features && shown.token == linear.token) return shown;
  shown.of = linear.found.features, shown.token = linear.token;
  fill_matrices(linear, shown);
  return shown;
}

}  // namespace attn
