// The numbers of a road, in words and with what is behind them.
#include "app/workspaces/efficient/road_cells.h"

#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/plot/plot_numbers.h"
#include "app/plot/short_numbers.h"
#include "app/workspaces/efficient/flash.h"
#include "core/efficient/road_rules.h"

namespace attn {
namespace {

constexpr std::size_t kShortReach = 4;  // more layers than that are many
constexpr double kWholeBytes = 1000;

double as_double(Count count) {
  return static_cast<double>(count);
}

// What the table is sorted by; none: there is no such number.
std::optional<double> sorting_number(EfficientScene& scene, Road road, const RoadFound& found,
                                     RoadColumn column) {
  if (!found.obstacle.empty()) return std::nullopt;
  switch (column) {
    case RoadColumn::order:
      return static_cast<double>(road);
    case RoadColumn::density:
      return found.density;
    case RoadColumn::error:
      return found.undefined < found.errors.size() ? std::optional(found.error) : std::nullopt;
    case RoadColumn::operations:
      return as_double(counts_of(scene, road, found).operations.value());
    case RoadColumn::bytes:
      return as_double(counts_of(scene, road, found).held.value());
    case RoadColumn::time:
      return road_time(scene, road).seconds;
    case RoadColumn::reach:
      return found.reach ? static_cast<double>(*found.reach) : std::numeric_limits<double>::infinity();
  }
  return std::nullopt;
}

// Of flash attention as it is played, where that is done: one number for one thing.
double error_of(const EfficientScene& scene, Road road, const RoadFound& found) {
  const auto shown = road == Road::flash ? flash_shown(scene) : std::nullopt;
  const FlashAllRows all = shown ? flash_all_rows(scene, *shown) : FlashAllRows();
  return all.done ? all.rows.in_double : found.error;
}

RoadCell error_cell(const Theme& theme, const RoadFound& found, double error) {
  if (found.undefined == found.errors.size()) return {"gap", theme.warning};
  if (error == 0) return {"0 ✓", theme.good};
  if (error < kRoundingAlone) return {inspector::write_distance(error) + " ✓", theme.good};
  return {inspector::write(error, inspector::digits_for({error})), theme.text};
}

RoadCell reach_cell(const Theme& theme, const RoadFound& found) {
  if (!found.reach) return {"never", theme.warning};
  return {std::to_string(*found.reach), *found.reach > kShortReach ? theme.warning : theme.text};
}

RoadCell road_cell(EfficientScene& scene, Road road, const RoadFound& found, RoadColumn column) {
  const Theme& theme = scene.frame.theme;
  switch (column) {
    case RoadColumn::order:
      break;
    case RoadColumn::density:
      return {found.density ? share_text(*found.density) : "—", found.density ? theme.text : theme.dim};
    case RoadColumn::error:
      return error_cell(theme, found, error_of(scene, road, found));
    case RoadColumn::operations:
      return {short_count(as_double(counts_of(scene, road, found).operations.value())), theme.text};
    case RoadColumn::bytes:
      return {short_bytes(as_double(counts_of(scene, road, found).held.value()), kWholeBytes), theme.text};
    case RoadColumn::time: {
      const RoadTime time = road_time(scene, road);
      return {time.seconds ? time_text(*time.seconds) : "–",
              time.seconds && !time.other ? theme.text : theme.faint};
    }
    case RoadColumn::reach:
      return reach_cell(theme, found);
  }
  return {};
}

std::string road_tokens_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " token" : " tokens");
}

// How far the device's own numbers are from these.
std::string about_device(const EfficientScene& scene, Road road, const RoadFound& found) {
  for (const RoadStage& on : scene.places().roads) {
    if (on.road != road) continue;
    const StageResult& result = scene.results.outputs[on.stage];
    const StageResult& exact = scene.results.outputs[scene.places().layer.mixed];
    if (!result.here() || !exact.here() || exact.shape().rows != found.output_off.rows()) return {};
    double largest = 0;
    for (std::size_t i = 0; i < found.output_off.rows(); ++i)
      for (std::size_t c = 0; c < found.output_off.columns(); ++c) {
        const double road_off = static_cast<double>(found.output_off[{0, i, c}]);
        const double device_off =
            static_cast<double>(result[{scene.head, i, c}]) - static_cast<double>(exact[{scene.head, i, c}]);
        largest = std::max(largest, std::abs(device_off - road_off));
      }
    return "\nin float32 on " + scene.results.device + ": " + inspector::write_distance(largest) +
           " from that";
  }
  return {};
}

// Random features: how much of it is the seed's.
std::string about_seeds(const EfficientScene& scene) {
  const Study<SeedErrors> study = study_seeds(scene);
  if (!study.found || study.stale || study.found->errors.empty()) return "\nother seeds: …";
  std::vector<double> errors = study.found->errors;
  std::ranges::sort(errors);
  const auto text = [](double error) { return inspector::write(error, {3, false}); };
  return "\n" + std::to_string(errors.size()) + " seeds: " + text(errors.front()) + " to " +
         text(errors.back()) + ", half of them below " + text(errors[errors.size() / 2]);
}

std::string about_error(const EfficientScene& scene, Road road, const RoadFound& found) {
  std::string about = "the largest distance of an output from exact attention, both in double";
  if (found.undefined > 0)
    about += "\n" + road_tokens_text(found.undefined) +
             " without an output: all features of the query, or of the keys that it sees, are 0. Left out.";
  about += about_device(scene, road, found);
  return road == Road::random ? about + about_seeds(scene) : about;
}

std::string about_quantity(const Quantity& quantity) {
  std::string text;
  for (const CostTerm& term : quantity.terms)
    text += "\n" + std::string(term.what) + ": " + term.formula() + " = " + term.numbers() + " = " +
            grouped(term.value());
  return text;
}

std::string about_density(const RoadFound& found) {
  if (!found.density) return "every pair that the mask leaves has a weight, and none is computed";
  std::size_t allowed = 0;
  for (const std::size_t keys : found.allowed_keys) allowed += keys;
  return grouped(found.pairs) + " of the " + grouped(allowed) + " pairs that the layer's own mask leaves";
}

std::string about_reach(const RoadFound& found) {
  const std::string meaning = "layers until each query has met every key that the layer's mask leaves it";
  return found.reach ? meaning : meaning + ": however many there are, some pairs are joined by no path";
}

RoadRow row_of_road(EfficientScene& scene, const RoadsStudy& study, Road road) {
  const std::size_t width = scene.stage(scene.places().layer.q).shape.columns;
  RoadRow row{.road = road, .name = road_title(road)};
  row.settings = settings_of(road, scene.spec, std::max(scene.queries(), scene.keys()), width);
  if (road == Road::bigbird) row.shorter = "… and " + std::to_string(scene.spec.random_keys) + " random";
  const RoadFound* found = study.found ? study.found->of(road) : nullptr;
  if (!found) return row;
  row.found = true, row.obstacle = found->obstacle;
  if (!row.obstacle.empty()) return row;
  row.undefined = found->undefined > 0;
  if (row.undefined) row.settings = road_tokens_text(found->undefined) + " undefined";
  for (std::size_t c = 0; c < kRoadCells.size(); ++c)
    row.cells[c] = road_cell(scene, road, *found, kRoadCells[c].column);
  return row;
}

}  // namespace

std::string share_text(double share) {
  const double percent = 100 * share;
  return decimal_text(percent, percent > 0 && percent < 1 ? 1 : 0) + " %";
}

PatternPicture pattern_picture(const Theme& theme, Road road, const RoadFound& found) {
  if (!is_linear(road)) return {found.pattern, {MapKind::diverging, 1}};
  const double largest = found.largest_weight;
  return {found.weights, {theme.weights, largest > 0 ? static_cast<float>(largest) : 1.0f}};
}

std::vector<RoadRow> road_rows(EfficientScene& scene, const RoadsStudy& study) {
  std::vector<std::pair<std::optional<double>, RoadRow>> rows;
  const RoadColumn column = scene.view().sorted_by;
  for (const Road road : laid_roads(scene.spec)) {
    const RoadFound* found = study.found ? study.found->of(road) : nullptr;
    rows.emplace_back(found ? sorting_number(scene, road, *found, column) : std::nullopt,
                      row_of_road(scene, study, road));
  }
  if (column != RoadColumn::order)
    std::ranges::stable_sort(rows, [down = scene.view().descending](const auto& a, const auto& b) {
      if (!a.first || !b.first) return a.first.has_value() && !b.first;
      return down ? *a.first > *b.first : *a.first < *b.first;
    });
  std::vector<RoadRow> sorted;
  for (auto& row : rows) sorted.push_back(std::move(row.second));
  return sorted;
}

std::string about_cell(EfficientScene& scene, const RoadRow& row, RoadColumn column) {
  const RoadsStudy study = study_roads(scene);
  const RoadFound* found = found_road(study, row.road);
  if (!found) return "being computed";
  const RoadCounts counts = counts_of(scene, row.road, *found);
  switch (column) {
    case RoadColumn::order:
      break;
    case RoadColumn::density:
      return about_density(*found);
    case RoadColumn::error:
      return about_error(scene, row.road, *found);
    case RoadColumn::operations:
      return "a multiply-add is two; full attention computes masked scores too, flash those in tiles that it "
             "does not skip" +
             about_quantity(counts.operations);
    case RoadColumn::bytes:
      return "held beside Q, K, V and the output, in float32" + about_quantity(counts.held);
    case RoadColumn::time:
      return road_time(scene, row.road).about;
    case RoadColumn::reach:
      return about_reach(*found);
  }
  return {};
}

}  // namespace attn
