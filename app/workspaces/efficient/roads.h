// What the table of roads, their map and their controls share. Private to app/workspaces/efficient.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workspaces/efficient/scene.h"
#include "core/efficient/road_counts.h"
#include "core/efficient/road_measure.h"
#include "core/efficient/roads.h"

namespace attn {

// Of the results on screen and the head that is shown, as far as they are found.
struct RoadsFound {
  std::array<std::optional<RoadFound>, kRoads> roads = {};
  const RoadFound* of(Road road) const;
  std::size_t bytes() const;
};
struct RoadsStudy {
  std::shared_ptr<const RoadsFound> found = {};  // null: nothing yet
  bool stale = false;                            // of results before: other numbers, of another size maybe
  std::string error = {};
};
RoadsStudy study_roads(const EfficientScene& scene);
// Of one that is not stale; null while it is not found.
const RoadFound* found_road(const RoadsStudy& study, Road road);

// The largest errors of random features by several seeds.
struct SeedErrors {
  std::vector<double> errors = {};
};
inline constexpr std::size_t kSeeds = 16;
Study<SeedErrors> study_seeds(const EfficientScene& scene);

// Full, and those that are laid beside it, in their usual order.
std::vector<Road> laid_roads(const EfficientSpec& spec);
void toggle_road(EfficientSpec& spec, Road road);
std::string road_title(Road road);
// Tokens that a query or a key may stand at.
std::size_t road_places(const LayerSpec& layer);
RoadCounts counts_of(const EfficientScene& scene, Road road, const RoadFound& found);

// What M measures, and what became of it the last time.
RoadsMeasured measured_now(const Results& results);
struct RoadTimes {
  Measured measured = {};
  RoadsMeasured of = {};
  std::size_t done = 0, planned = 0;  // samples, while it is measured
  std::size_t bytes() const { return measured.points.size() * sizeof(MeasuredPoint); }
};
// Goes on with what is being measured.
const RoadTimes& road_times(Frame& frame);
struct RoadTime {
  std::optional<double> seconds = {};
  bool other = false;      // of another device, size or setting
  std::string about = {};  // in words
};
RoadTime road_time(EfficientScene& scene, Road road);
// The rounds of which the least measured road has a sample.
std::size_t kept_rounds(const RoadTimes& times);

inline constexpr const char *kMaskInPipeline = "efficient.mask_in_pipeline", *kOpenCost = "efficient.cost",
                            *kMeasureRoads = "efficient.measure";
// Both throw Error where that cannot be.
void put_mask_in_pipeline(Desk& desk);
void open_cost_of_roads(Desk& desk);

}  // namespace attn
