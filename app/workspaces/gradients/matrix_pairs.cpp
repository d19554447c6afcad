// The pairs of matrices, as grids.
#include <algorithm>

#include "app/cells/mask_paint.h"
#include "app/cells/token_edits.h"
#include "app/workspaces/gradients/matrix_pairs.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

constexpr float kLogDecades = 4;  // powers of ten below the largest gradient that have a colour

// dO as it is typed is a matrix of the document's, and stands in place of what follows from it.
StageIndex beneath_of(const GradientsScene& scene, StageIndex stage) {
  const GradientsPlaces& places = scene.places();
  const bool typed =
      places.kind == LossKind::typed && stage == places.layer.output && !scene.spec.times_number;
  return typed ? places.asked : *places.beneath(stage);
}

// Of every stage that the canvas shows, whether or not it does now.
std::vector<StageIndex> all_shown(const GradientsPlaces& places) {
  std::vector<StageIndex> all;
  for (const auto* shown : {&places.tokens, &places.projected, &places.parameters, &places.attention})
    all.insert(all.end(), shown->begin(), shown->end());
  return all;
}

float shared_range(const GradientsScene& scene) {
  float most = 0;
  for (const StageIndex of : all_shown(scene.places()))
    most = std::max(most, scene.results.summaries[beneath_of(scene, of)].largest());
  return most;
}

void colour_gradient(const GradientsScene& scene, Grid& grid) {
  const auto& locked = scene.frame.view.grid.locked_ranges;
  const bool is_locked = std::ranges::count(locked, grid.stage, &std::pair<std::string, float>::first) > 0;
  if (!scene.view().own_range && !is_locked)
    if (const float range = shared_range(scene); range > 0) grid.map.range = range;
  if (scene.view().logarithmic) grid.map.decades = kLogDecades;
}

Grid pair_grid(const GradientsScene& scene, StageIndex stage) {
  const Frame& frame = scene.frame;
  const Stage& s = scene.stage(stage);
  Grid grid = fitted_grid(frame, stage, matrix_head(scene, s.shape.stack), {});
  grid.numbers = scene.view().numbers;
  grid.title = matrix_title(scene, stage);
  grid.subtitle = {{.text = matrix_formula(scene, stage), .essential = true}};
  if (const std::string heads = matrix_heads(scene, stage); !heads.empty())
    grid.subtitle.insert(grid.subtitle.begin(), {.text = heads, .essential = true});
  return grid;
}

MatrixPair pair_of(const GradientsScene& scene, StageIndex stage) {
  MatrixPair pair{.above = pair_grid(scene, stage), .beneath = pair_grid(scene, beneath_of(scene, stage))};
  const Stage& s = scene.stage(stage);
  const Address layer = scene.results.graph.layer_of(s);
  add_token_edits(pair.above, s, scene.frame.draft, layer);
  add_mask_paint(pair.above, s, scene.frame, layer);
  pair.above.subtitle.push_back({to_string(Shape{1, s.shape.rows, s.shape.columns})});
  pair.beneath.title = scene.stage(*scene.places().beneath(stage)).title;
  pair.beneath.hue = pair.above.hue, pair.beneath.mask = pair.above.mask;
  pair.beneath.close = true, pair.beneath.column_labels = false;
  colour_gradient(scene, pair.beneath);
  return pair;
}

// Rows are named where they are others than those of the pair before.
bool has_same_rows(const Grid& a, const Grid& b) {
  const auto& x = a.rows.labels;
  const auto& y = b.rows.labels;
  return a.shape.rows == b.shape.rows && (x == y || (x && y && *x == *y));
}

MatrixPairs pairs_of(const GradientsScene& scene, const std::vector<StageIndex>& stages,
                     const std::function<bool(StageIndex)>& has_arrow) {
  MatrixPairs pairs;
  for (const StageIndex stage : stages) {
    MatrixPair pair = pair_of(scene, stage);
    pair.arrow = !pairs.empty() && has_arrow(stage);
    const bool named = pairs.empty() || !has_same_rows(pairs.back().above, pair.above);
    pair.above.row_labels = pair.beneath.row_labels = named;
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

std::size_t matrix_head(const GradientsScene& scene, std::size_t stack) {
  const std::size_t heads = heads_of(scene.results.graph, scene.places().part);
  if (stack == 0 || heads % stack != 0) return std::min(scene.head, std::max<std::size_t>(1, stack) - 1);
  return shared_matrix(scene.head, stack, heads);
}

void pin_matrix_cell(const GradientsScene& scene, StageIndex stage, Cell cell) {
  const Stage& s = scene.stage(stage);
  View& view = scene.frame.view;
  view.pinned = Spot{s.id, cell};
  view.canvas().reveal = s.id;
  if (matrix_head(scene, s.shape.stack) == cell.head) return;
  const std::size_t heads = heads_of(scene.results.graph, scene.places().part);
  view.layer.head = cell.head * std::max<std::size_t>(1, heads / s.shape.stack);  // of those that read it
}

MatrixPairs projected_pairs(const GradientsScene& scene) {
  const GradientsPlaces& places = scene.places();
  if (scene.view().weights && !places.parameters.empty())
    return pairs_of(scene, places.parameters, [](StageIndex) { return false; });
  std::vector<StageIndex> stages = places.tokens;
  stages.insert(stages.end(), places.projected.begin(), places.projected.end());
  return pairs_of(scene, stages, [&](StageIndex stage) {
    return !places.tokens.empty() && !places.projected.empty() && stage == places.projected.front();
  });
}

MatrixPairs attention_pairs(const GradientsScene& scene) {
  return pairs_of(scene, scene.places().attention, [](StageIndex) { return true; });
}

}  // namespace attn
