// Norms of gradients.
#include "core/gradients/sizes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attn {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

double squares(const Tensor& numbers, std::size_t matrix, std::size_t row) {
  double sum = 0;
  for (std::size_t j = 0; j < numbers.columns(); ++j) {
    const auto d = static_cast<double>(numbers[{matrix, row, j}]);
    sum += d * d;  // of floats: no double overflows
  }
  return sum;
}

// As the way back comes to them.
std::vector<StageIndex> shown_stages(const Graph& graph, const GradientsPlaces& places) {
  std::vector<StageIndex> shown = places.attention;
  shown.insert(shown.end(), places.projected.begin(), places.projected.end());
  std::ranges::stable_sort(shown, {}, [&](StageIndex i) {
    if (i == places.layer.output) return 0;
    if (i == places.layer.weights) return 1;
    if (i == places.layer.weighed) return 3;
    return graph.stages[i].role == Role::value ? 2 : 4;
  });
  for (const auto* more : {&places.tokens, &places.parameters})
    shown.insert(shown.end(), more->begin(), more->end());
  return shown;
}

}  // namespace

std::vector<double> row_norms(const Tensor& numbers) {
  std::vector<double> norms(numbers.rows(), 0);
  for (std::size_t i = 0; i < norms.size(); ++i) {
    for (std::size_t s = 0; s < numbers.stack(); ++s) norms[i] += squares(numbers, s, i);
    norms[i] = std::sqrt(norms[i]);
  }
  return norms;
}

double norm_of(const Tensor& numbers) {
  double sum = 0;
  for (const float d : numbers.values()) sum += static_cast<double>(d) * static_cast<double>(d);
  return std::sqrt(sum);
}

GradientSizes sizes_of(const Graph& graph, const GradientsPlaces& places,
                       const std::function<double(StageIndex)>& norm, std::vector<double> rows) {
  const auto norm_at = [&](StageIndex of) {
    const auto found = places.gradients.find(of);
    return found ? norm(*found) : kNotKnown;
  };
  const double whole = norm_at(places.layer.output);
  const auto part = [&](double of) { return of == 0 && whole == 0 ? 0 : of / whole; };
  GradientSizes sizes{.tokens = std::move(rows)};
  for (const StageIndex of : shown_stages(graph, places)) sizes.stages.push_back({of, part(norm_at(of))});
  for (double& of : sizes.tokens) of = part(of);
  return sizes;
}

SizeName size_name(double part, double below, double above) {
  if (std::isnan(part)) return SizeName::unknown;
  if (part == 0) return SizeName::dead;
  if (part < below) return SizeName::vanishing;
  return part > above ? SizeName::exploding : SizeName::usual;
}

double size_reach(const GradientSizes& sizes, double below, double above) {
  constexpr double kMostReach = 1e9, kLeastReach = 3;
  double most = std::max({kLeastReach, 1.2 / below, 1.2 * above});
  const auto reach = [&](double part) {
    if (part > 0 && std::isfinite(part)) most = std::max({most, part, 1 / part});
  };
  for (const StageSize& stage : sizes.stages) reach(stage.part);
  for (const double part : sizes.tokens) reach(part);
  for (double decade = 1; decade < kMostReach; decade *= 10)
    for (const double end : {3 * decade, 10 * decade})
      if (end >= most) return end;
  return kMostReach;
}

}  // namespace attn
