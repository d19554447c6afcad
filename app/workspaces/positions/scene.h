// What the parts of the workspace of positions share: what is looked at, the stages that it is read from, and
// where each part lies. Private to app/workspaces/positions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/shelf.h"
#include "app/cells/matrix_grid.h"
#include "app/workspaces/positions/view.h"
#include "core/positions/graph.h"
#include "core/positions/numbers.h"

namespace attn {

// Where the parts lie, from the content's top left corner. Pure arithmetic.
struct PositionsAreas {
  Rect map, dimensions, waves, similarity, alike, turns, scores, distance, far_weights, stretches, orders;
  ImVec2 content{};
};

// The n-th stage of a part that a canvas shows.
std::optional<StageIndex> shown_stage(const Graph& graph, std::size_t part, std::size_t n = 0);

// What is the same until the document or the head changes.
struct PositionsMemo {
  PositionsSpec spec = {};
  std::size_t head = 0, reach = 0;  // offsets from −reach to reach
  PositionsFacts facts = {};
  std::vector<std::vector<float>> by_offset = {};  // of each encoding that acts on scores; else empty
  std::size_t bytes() const { return bytes_of_all(facts.encodings, by_offset); }
};

// Of results: what is drawn belongs together, even while newer numbers are on their way.
struct PositionsScene {
  Frame& frame;
  const Results& results;
  const PositionsSpec& spec;
  const PositionsPlaces& places;
  const PositionsMemo& memo;
  std::size_t head = 0;  // that is shown, of the scores and biases

  const Position& shown() const { return spec.encodings[0]; }
  PositionsView& view() const { return frame.view.of<PositionsView>(); }
  std::optional<StageIndex> stage(std::size_t part, std::size_t n = 0) const {
    return shown_stage(results.graph, part, n);
  }
  std::optional<StageIndex> weights(const PositionsPart& part) const;
  std::optional<StageIndex> read_by_softmax(const PositionsPart& part) const;
  const Tensor& numbers(StageIndex stage) const { return results.outputs[stage].whole(); }
  float opacity(StageIndex stage) const;
  ImU32 colour(std::size_t encoding) const { return series_colour(encoding); }
};
// None before the first results.
std::optional<PositionsScene> positions_scene(Frame& frame);
PositionsAreas positions_areas(const PositionsScene& scene, ImVec2 canvas);

// "0.39", "3e−16".
std::string amount(double value);

// The two positions, inside what the encoding has rows for.
struct TwoPositions {
  std::size_t p = 0, q = 0;  // q = p + Δ
};
TwoPositions two_positions(const PositionsView& view, std::size_t rows);
// The pairs of the chosen dimensions, each once, in their order.
std::vector<std::size_t> chosen_pairs(const PositionsSpec& spec, const Position& position);
// The encoding whose pairs turn: the shown one, else RoPE among the others.
std::optional<Position> turning(const PositionsSpec& spec);

void draw_position_map(PositionsScene& scene, Rect area);
void draw_alike(PositionsScene& scene, Rect area);
void draw_dimensions(PositionsScene& scene, Rect area);
void draw_waves(PositionsScene& scene, Rect area);
void draw_similarity(PositionsScene& scene, Rect area);
void draw_turns(PositionsScene& scene, Rect area);
// Of the chips above the scores, in an area so wide.
float choices_height(const Theme& theme, float width);
void draw_scores_under(PositionsScene& scene, Rect area);
void draw_far_scores(PositionsScene& scene, Rect area);
void draw_far_weights(PositionsScene& scene, Rect area);
void draw_stretches(PositionsScene& scene, Rect area);
void draw_orders(PositionsScene& scene, Rect area);

}  // namespace attn
