// Each road beside exact attention.
#include "core/efficient/roads.h"

#include <algorithm>
#include <cmath>

#include "core/efficient/fields.h"
#include "core/efficient/road_features.h"
#include "core/efficient/road_rules.h"

namespace attn {
namespace {

Tensor road_tensor(std::size_t rows, const std::vector<double>& numbers) {
  return {{1, rows, numbers.size() / rows}, std::vector<float>(numbers.begin(), numbers.end())};
}

std::vector<double> differences_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> difference(a.size());
  std::ranges::transform(a, b, difference.begin(), std::minus());
  return difference;
}

// What the road's rules leave of the pairs that the layer's own mask leaves.
PairSet kept_by(const RoadHead& head, const std::vector<MaskTerm>& rules) {
  PairSet kept = head.allowed;
  if (rules.empty()) return kept;
  for (std::size_t i = 0; i < head.queries; ++i) {
    const std::vector<char> masked =
        MaskRow(rules, {.queries = head.queries, .keys = head.keys, .query = i, .first = head.op.first})
            .masked();
    for (std::size_t j = 0; j < head.keys; ++j)
      if (masked[j]) kept.at(i, j) = 0;
  }
  return kept;
}

// As the layer's own numbers say, where no softmax of scores makes its weights.
Attended exact_road(const RoadHead& head) {
  if (head.weights.empty()) return attend(head, head.allowed);
  Attended exact{head.weights, std::vector<double>(head.queries * head.value_width)};
  for (std::size_t i = 0; i < head.queries; ++i)
    for (std::size_t j = 0; j < head.keys; ++j)
      for (std::size_t c = 0; c < head.value_width && head.weights[i * head.keys + j] != 0; ++c)
        exact.output[i * head.value_width + c] +=
            head.weights[i * head.keys + j] * head.v[j * head.value_width + c];
  return exact;
}

// Of the pairs that the layer's own mask leaves.
std::vector<double> of_allowed_pairs(const RoadHead& head, const std::vector<double>& numbers) {
  std::vector<double> found;
  for (std::size_t p = 0; p < numbers.size(); ++p)
    if (head.allowed.has[p]) found.push_back(numbers[p]);
  return found;
}

void find_errors(const std::vector<double>& off, RoadFound& found) {
  const std::size_t columns = found.output_off.columns();
  for (std::size_t first = 0; first < off.size(); first += columns) {
    double largest = 0;
    for (std::size_t c = first; c < first + columns; ++c)
      largest = std::isnan(largest) || std::isnan(off[c]) ? std::numeric_limits<double>::quiet_NaN()
                                                          : std::max(largest, std::abs(off[c]));
    found.errors.push_back(largest);
    if (std::isnan(largest))
      ++found.undefined;
    else
      found.error = std::max(found.error, largest);
  }
}

void count_keys(const RoadHead& head, const PairSet& kept, const Attended& exact, RoadFound& found) {
  for (std::size_t i = 0; i < head.queries; ++i) {
    std::size_t keys = 0, allowed = 0;
    double held = 0, all = 0;
    for (std::size_t j = 0; j < head.keys; ++j) {
      keys += kept.at(i, j), allowed += head.allowed.at(i, j);
      all += exact.weights[i * head.keys + j];
      if (kept.at(i, j)) held += exact.weights[i * head.keys + j];
    }
    found.kept_keys.push_back(keys), found.allowed_keys.push_back(allowed);
    found.held.push_back(all == 0 ? 0 : held / all);
  }
}

std::size_t road_places_of(const RoadHead& head) {
  const std::ptrdiff_t last = head.op.first + static_cast<std::ptrdiff_t>(head.queries);
  return std::max(head.keys, static_cast<std::size_t>(std::max<std::ptrdiff_t>(last, 0)));
}

}  // namespace

MapRange map_range(const std::vector<double>& numbers) {
  constexpr double kShown = 0.97;
  std::vector<double> sizes;
  for (const double number : numbers)
    if (std::isfinite(number)) sizes.push_back(std::abs(number));
  if (sizes.empty()) return {};
  std::ranges::sort(sizes);
  const auto place = static_cast<std::size_t>(kShown * static_cast<double>(sizes.size() - 1));
  const double most = sizes[place] > 0 ? sizes[place] : sizes.back();
  const auto beyond = sizes.end() - std::ranges::upper_bound(sizes, most);
  return {most, static_cast<double>(beyond) / static_cast<double>(sizes.size())};
}

std::size_t RoadFound::bytes() const {
  return pattern.bytes() + weights.bytes() + weights_off.bytes() + output_off.bytes() +
         (errors.size() + held.size()) * sizeof(double) +
         (kept_keys.size() + allowed_keys.size()) * sizeof(std::size_t);
}

RoadWork::RoadWork(RoadHead head, const EfficientSpec& spec, const LayerSpec& layer)
    : head_(std::move(head)), spec_(spec), exact_(exact_road(head_)) {
  for (std::size_t i = 0; i < kRoads; ++i)
    obstacles_[i] = road_obstacle(efficient_field::road.words[i].choice, layer);
}

void RoadWork::step(std::array<std::optional<RoadFound>, kRoads>& found) {
  if (is_done()) return;
  found[next_] = find(efficient_field::road.words[next_].choice);
  ++next_;
}

RoadFound RoadWork::find(Road road) const {
  RoadFound found;
  found.obstacle = obstacles_[static_cast<std::size_t>(road)];
  if (!found.obstacle.empty()) return found;
  const PairSet kept = kept_by(head_, rules_of(road, spec_, road_places_of(head_)));
  const FeatureKind kind = features_of(road);
  const Tensor directions =
      road == Road::random ? random_directions(head_.width, spec_.feature_count, spec_.seed) : Tensor();
  const Attended attended = is_linear(road)       ? attend_linear(head_, kind, directions)
                            : road == Road::flash ? attend_by_tiles(head_, spec_.tile_columns)
                            : road == Road::full  ? exact_
                                                  : attend(head_, kept);
  const std::vector<double> off = differences_of(attended.output, exact_.output);
  std::vector<float> pattern;
  for (const char pair : kept.has) pattern.push_back(pair ? -1.0f : 0.0f);
  found.pattern = Tensor({1, head_.queries, head_.keys}, std::move(pattern));
  found.weights = road_tensor(head_.queries, attended.weights);
  const std::vector<double> weights_off = differences_of(attended.weights, exact_.weights);
  found.weights_off = road_tensor(head_.queries, weights_off);
  for (const double weight : attended.weights)
    if (weight > found.largest_weight) found.largest_weight = weight;
  found.weights_range = map_range(of_allowed_pairs(head_, weights_off));
  found.output_off = road_tensor(head_.queries, off);
  find_errors(off, found);
  found.pairs = kept.count();
  const std::size_t allowed = head_.allowed.count();
  if (!is_linear(road) && allowed > 0)
    found.density = static_cast<double>(found.pairs) / static_cast<double>(allowed);
  found.reach = reach_of(kept, head_.allowed, head_.own_tokens);
  count_keys(head_, kept, exact_, found);
  return found;
}

std::vector<double> errors_by_seed(const RoadHead& head, const EfficientSpec& spec, std::size_t count) {
  const Attended exact = exact_road(head);
  std::vector<double> errors;
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor directions = random_directions(head.width, spec.feature_count, spec.seed + i);
    const Attended one = attend_linear(head, FeatureKind::random, directions);
    RoadFound found;
    const std::vector<double> off = differences_of(one.output, exact.output);
    found.output_off = road_tensor(head.queries, off);
    find_errors(off, found);
    errors.push_back(found.error);
  }
  return errors;
}

}  // namespace attn
