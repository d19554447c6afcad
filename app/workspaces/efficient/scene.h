// What the parts of the workspace of efficient attention share: the layer of one head, the row that is
// followed, and where each part lies. Private to app/workspaces/efficient.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/shelf.h"
#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/plot/plot.h"
#include "app/widgets/chips.h"
#include "app/workspaces/efficient/view.h"
#include "core/efficient/graph.h"

namespace attn {

// Where the parts lie, from the content's top left corner.
struct EfficientAreas {
  Rect tiles, row, held, linear, errors, roads, map;
  ImVec2 content{};
};

// Of results: what is drawn belongs together, even while newer numbers are on their way.
struct EfficientScene {
  Frame& frame;
  const Results& results;
  const EfficientSpec& spec;
  std::size_t head = 0;

  EfficientView& view() const { return frame.view.of<EfficientView>(); }
  EfficientSpec& draft() const { return frame.draft.efficient; }
  const EfficientPlaces& places() const { return *results.places.as<EfficientPlaces>(); }
  const Stage& stage(StageIndex index) const { return results.graph.stages[index]; }
  const Tensor& numbers(StageIndex index) const { return results.outputs[index].whole(); }
  std::size_t queries() const { return stage(places().layer.scores).shape.rows; }
  std::size_t keys() const { return stage(places().layer.scores).shape.columns; }
  // The row that is followed: that of the pinned number, where it is a query's; else the view's.
  std::size_t row() const;
};
// None before the first results.
std::optional<EfficientScene> efficient_scene(Frame& frame);
// The same for who has no frame: commands.
std::size_t shown_head(const Results& results, const View& view);
std::size_t followed_row(const Results& results, const View& view);
// What the device computed by this road, a row for each query whose first columns are the output; null: the
// road is not laid, or its numbers are not here.
const Tensor* device_output(const Results& results, Road road);
void follow_row(const Results& results, View& view, std::size_t row);
// Follows another row: the pinned number, where it is a query's, moves there too.
void follow_row(const EfficientScene& scene, std::size_t row);

void draw_tiles(EfficientScene& scene, Rect area);
void draw_row(EfficientScene& scene, Rect area);
void draw_held(EfficientScene& scene, Rect area);
void draw_linear(EfficientScene& scene, Rect area);
void draw_token_errors(EfficientScene& scene, Rect area);
void draw_roads(EfficientScene& scene, Rect area);
void draw_road_map(EfficientScene& scene, Rect area);

// Each in the file of its part; draw_efficient_controls, inspect_efficient, check_efficient,
// lead_on_efficient and efficient_commands call them.
void draw_road_controls(Frame& frame, Column column);     // beside full, sparse
void draw_tile_controls(Frame& frame, Column column);     // flash
void draw_linear_controls(Frame& frame, Column column);   // linear
void draw_measure_controls(Frame& frame, Column column);  // measure on this device
void inspect_tile(EfficientScene& scene, inspector::Flow& flow);
void tile_checks(EfficientScene& scene, std::vector<inspector::CheckLine>& lines);
void linear_checks(EfficientScene& scene, std::vector<inspector::CheckLine>& lines);
void tile_commands(std::vector<Command>& table, const Desk& desk);
void linear_commands(std::vector<Command>& table, const Desk& desk);
void road_commands(std::vector<Command>& table, const Desk& desk);
inline constexpr const char* kEfficientMenu = "Edit/Efficient";

}  // namespace attn
