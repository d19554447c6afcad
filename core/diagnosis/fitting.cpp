// Medians of ratios, and least squares over what agrees with them.
#include "core/diagnosis/fitting.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/graph/rounding.h"

namespace attn {
namespace {

constexpr std::size_t kMostPairs = 20000;  // enough: more of them tell no digit that float has
constexpr double kSmall = 0.1;             // beside the root mean square of ours

// Of float32 results of sums that other programs add in another order; a few roundings of half formats.
double nearness(NumberFormat format) {
  return format == NumberFormat::float32 ? 1e-3 : 4 * epsilon_of(format);
}

}  // namespace

std::optional<FittedRatio> fitted_ratio(std::span<const PairOfNumbers> pairs, NumberFormat format) {
  const std::size_t step = pairs.size() / kMostPairs + 1;
  double squares = 0;
  for (const PairOfNumbers& p : pairs) squares += p.ours * p.ours;
  const double least =
      kSmall * std::sqrt(squares / static_cast<double>(std::max<std::size_t>(pairs.size(), 1)));
  std::vector<PairOfNumbers> telling;
  for (std::size_t i = 0; i < pairs.size(); i += step)
    if (std::abs(pairs[i].ours) > least) telling.push_back(pairs[i]);
  if (telling.size() < 4) return std::nullopt;
  std::vector<double> ratios;
  for (const PairOfNumbers& p : telling) ratios.push_back(p.yours / p.ours);
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  const double median = *middle;
  double products = 0, own = 0, agree = 0;
  for (const PairOfNumbers& p : telling) {
    if (!(std::abs(p.yours - median * p.ours) <= nearness(format) * std::abs(median * p.ours))) continue;
    products += p.yours * p.ours, own += p.ours * p.ours, ++agree;
  }
  if (own == 0) return std::nullopt;
  return FittedRatio{products / own, agree / static_cast<double>(telling.size())};
}

double as_written(double fitted, NumberFormat format) {
  const double written = std::round(fitted * 100) / 100;
  return std::abs(written - fitted) <= nearness(format) / 50 * std::abs(fitted) ? written : fitted;
}

std::string fitted_words(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace attn
