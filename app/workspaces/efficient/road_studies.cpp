// The roads of the results on screen: at once where that takes less than a frame, else a road a step behind
// them.
#include <algorithm>

#include "app/workspaces/efficient/flash.h"
#include "app/workspaces/efficient/roads.h"
#include "core/efficient/road_rules.h"

namespace attn {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 13;  // pairs

struct RoadsMemo {
  std::weak_ptr<const Results> results = {};
  std::size_t head = 0;
  std::shared_ptr<const RoadsFound> found = {};
  std::size_t bytes() const { return found ? found->bytes() : 0; }
};

struct RoadsKey {
  std::shared_ptr<const Results> results = {};
  std::size_t head = 0;
  bool operator==(const RoadsKey&) const = default;
};

std::optional<RoadWork> work_on(const Results& results, std::size_t head) {
  const auto& places = *results.places.as<EfficientPlaces>();
  auto one = road_head(results, places, head);
  if (!one) return std::nullopt;
  return RoadWork(std::move(*one), results.document.efficient, places.shown);
}

}  // namespace

const RoadFound* RoadsFound::of(Road road) const {
  const auto& found = roads[static_cast<std::size_t>(road)];
  return found ? &*found : nullptr;
}

std::size_t RoadsFound::bytes() const {
  std::size_t bytes = 0;
  for (const auto& road : roads) bytes += road ? road->bytes() : 0;
  return bytes;
}

RoadsStudy study_roads(const EfficientScene& scene) {
  const auto& results = scene.frame.engine.results;
  if (scene.queries() * scene.keys() > kMostAtOnce) {
    const auto begin = [&]() -> StudyStep<RoadsFound> {
      return [results, head = scene.head, work = std::optional<RoadWork>()](RoadsFound& found,
                                                                            Backend&) mutable {
        if (!work) work = work_on(*results, head);
        if (!work) return true;
        work->step(found.roads);
        return work->is_done();
      };
    };
    auto study = scene.frame.studies.of<RoadsFound>("efficient.roads", RoadsKey{results, scene.head}, begin);
    return {study.found, study.stale, study.error};
  }
  RoadsMemo& memo = scene.frame.memos.of<RoadsMemo>();
  if (memo.results.lock() != results || memo.head != scene.head || !memo.found) {
    RoadsFound found;
    if (auto work = work_on(*results, scene.head))
      while (!work->is_done()) work->step(found.roads);
    memo = {results, scene.head, std::make_shared<const RoadsFound>(std::move(found))};
  }
  return {.found = memo.found};
}

const RoadFound* found_road(const RoadsStudy& study, Road road) {
  return study.found && !study.stale ? study.found->of(road) : nullptr;
}

Study<SeedErrors> study_seeds(const EfficientScene& scene) {
  const auto& results = scene.frame.engine.results;
  const auto begin = [&]() -> StudyStep<SeedErrors> {
    return [results, head = scene.head](SeedErrors& found, Backend&) {
      const auto one = road_head(*results, *results->places.as<EfficientPlaces>(), head);
      if (!one) return true;
      EfficientSpec spec = results->document.efficient;
      spec.seed += found.errors.size();
      const std::vector<double> error = errors_by_seed(*one, spec, 1);
      found.errors.insert(found.errors.end(), error.begin(), error.end());
      return found.errors.size() == kSeeds;
    };
  };
  return scene.frame.studies.of<SeedErrors>("efficient.seeds", RoadsKey{results, scene.head}, begin);
}

std::vector<Road> laid_roads(const EfficientSpec& spec) {
  std::vector<Road> laid;
  for (const auto& word : efficient_field::road.words)
    if (word.choice == Road::full || std::ranges::count(spec.roads, word.choice) > 0)
      laid.push_back(word.choice);
  return laid;
}

void toggle_road(EfficientSpec& spec, Road road) {
  std::vector<Road> roads = laid_roads(spec);
  if (std::erase(roads, road) == 0) roads.push_back(road);
  std::ranges::sort(roads);
  spec.roads = std::move(roads);
}

std::string road_title(Road road) {
  return std::string(efficient_field::road.words[efficient_field::road.index_of(road)].title);
}

std::size_t road_places(const LayerSpec& layer) {
  return std::max(query_count(layer), key_count(layer));
}

RoadCounts counts_of(const EfficientScene& scene, Road road, const RoadFound& found) {
  const LayerStages& at = scene.places().layer;
  const Shape q = scene.stage(at.q).shape, k = scene.stage(at.k).shape;
  RoadShape shape{.n = q.rows,
                  .m = k.rows,
                  .heads = q.stack,
                  .kv_heads = k.stack,
                  .d_k = q.columns,
                  .d_v = scene.stage(at.v).shape.columns,
                  .features = scene.spec.feature_count,
                  .tile_rows = scene.spec.tile_rows,
                  .tile_columns = scene.spec.tile_columns};
  if (road == Road::flash)
    if (const auto shown = flash_shown(scene)) {
      const FlashTiling::Work work = shown->tiling.work();
      shape.tile_pairs = work.pairs, shape.rescaled = work.rows;
    }
  return count_road(road, shape, found.pairs);
}

}  // namespace attn
