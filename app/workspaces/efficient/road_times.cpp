// The roads measured on this device: a study of its own, whose points stay when another size is asked for.
#include <algorithm>

#include "app/plot/short_numbers.h"
#include "app/workspaces/efficient/roads.h"
#include "core/operations/flash.h"
#include "core/operations/mask_rules.h"

namespace attn {
namespace {

constexpr const char* kMeasureStudy = "efficient.measured";

struct RoadsTimed {
  Measured measured = {};
  std::size_t done = 0, planned = 0;
};

// What has no part in how long the roads take.
EfficientSpec timed_spec(EfficientSpec spec) {
  const EfficientSpec usual;
  spec.tile_rows = usual.tile_rows, spec.tile_columns = usual.tile_columns;
  spec.features = usual.features;
  return spec;
}

const NotMeasured* road_left_out(const Measured& measured, Road road) {
  const auto found = std::ranges::find(measured.not_measured, road_subject(road), &NotMeasured::subject);
  return found == measured.not_measured.end() ? nullptr : &*found;
}

std::string measured_size_text(const RoadsMeasured& of) {
  return "n = " + grouped(of.n) + ", " + std::to_string(of.heads) +
         (of.heads == 1 ? " head of " : " heads of ") + std::to_string(of.width);
}

}  // namespace

RoadsMeasured measured_now(const Results& results) {
  const auto& places = *results.places.as<EfficientPlaces>();
  const Shape q = results.graph.stages[places.layer.q].shape, k = results.graph.stages[places.layer.k].shape;
  return {.n = results.document.efficient.measured_tokens,
          .heads = q.stack,
          .kv_heads = k.stack,
          .width = q.columns,
          .causal = find_rule<CausalRule>(places.shown) != nullptr,
          .spec = timed_spec(results.document.efficient)};
}

const RoadTimes& road_times(Frame& frame) {
  RoadTimes& times = frame.memos.of<RoadTimes>();
  auto& asked = frame.view.of<EfficientView>().measuring;
  if (!asked) return times;
  const auto begin = [&]() -> StudyStep<RoadsTimed> {
    const auto measurement = std::make_shared<Measurement>(measure_roads(*asked));
    return [measurement](RoadsTimed& found, Backend& backend) {
      const bool more = measurement->step(backend);
      found = {measurement->measured(), measurement->progress().done, measurement->progress().planned};
      return !more;
    };
  };
  const auto study = frame.studies.of<RoadsTimed>(kMeasureStudy, *asked, begin);
  if (study.found && !study.stale)
    times = {study.found->measured, *asked, study.found->done, study.found->planned};
  if (!study.error.empty()) frame.view.say("nothing was measured: " + study.error, true);
  if (study.done) {
    frame.studies.forget(kMeasureStudy);
    asked.reset();
  }
  return times;
}

RoadTime road_time(EfficientScene& scene, Road road) {
  const RoadTimes& times = road_times(scene.frame);
  const RoadsMeasured now = measured_now(scene.results);
  const MeasuredPoint* point = times.measured.find(road_subject(road), times.of.n);
  if (point && !point->seconds.empty()) {
    const bool other = times.of != now || times.measured.device.name != scene.results.device;
    std::string about = time_text(point->seconds.median()) + ": the median of " +
                        std::to_string(point->seconds.values.size()) + " at " + measured_size_text(times.of) +
                        " on " + times.measured.device.name;
    if (other) about += "\nnot of what is set now: M measures " + measured_size_text(now);
    return {point->seconds.median(), other, about};
  }
  if (const std::string why = road_not_measured(now, road); !why.empty())
    return {.about = "not measured: " + why};
  const NotMeasured* out = road_left_out(times.measured, road);
  if (out && times.of == now) return {.about = "not measured: " + out->why};
  return {.about = "M measures it at " + measured_size_text(now)};
}

std::size_t kept_rounds(const RoadTimes& times) {
  std::size_t kept = 0;
  bool first = true;
  for (const Road road : laid_roads(times.of.spec))
    if (const MeasuredPoint* point = times.measured.find(road_subject(road), times.of.n)) {
      const std::size_t samples = point->seconds.values.size();
      kept = first ? samples : std::min(kept, samples);
      first = false;
    }
  return kept;
}

}  // namespace attn
