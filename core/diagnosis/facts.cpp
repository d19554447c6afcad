// What numbers say by themselves.
#include "core/diagnosis/facts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/diagnosis/closeness.h"
#include "core/diagnosis/fitting.h"
#include "core/diagnosis/given_ids.h"

namespace attn {
namespace {

constexpr double kNearOne = 1e-4;  // a row that adds up to 1, in half precision or not: 1e-2
constexpr double kNearOneOfHalf = 1e-2;
constexpr double kConstant = 0.98;  // the share of cells that have the same ratio

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %%", 100 * share);
  return text;
}

struct Extent {
  double least = 0, most = 0;
};
std::string words_of(const Extent& extent) {
  char text[64];
  if (extent.most - extent.least < kNearOne)
    std::snprintf(text, sizeof text, "%.6f", (extent.least + extent.most) / 2);
  else
    std::snprintf(text, sizeof text, "%.4g … %.4g", extent.least, extent.most);
  return text;
}

NumberFormat format_of(const GivenNumbers& numbers) {
  const auto all_of = [&](NumberFormat format) {
    return !numbers.yours.empty() && std::ranges::all_of(numbers.yours, [&](const GivenStage& stage) {
      return is_of_format(stage.numbers, format);
    });
  };
  // Most numbers of bfloat16 are numbers of float16 too, not the other way round.
  if (all_of(NumberFormat::bfloat16)) return NumberFormat::bfloat16;
  return all_of(NumberFormat::float16) ? NumberFormat::float16 : NumberFormat::float32;
}

// Rows of nothing but zeros have no key.
void add_row_sums(std::vector<Fact>& facts, const Tensor& weights, NumberFormat format) {
  std::optional<Extent> extent;
  std::size_t undefined = 0;
  for (std::size_t begin = 0; begin < weights.values().size(); begin += weights.columns()) {
    double sum = 0;
    for (const float w : weights.values().subspan(begin, weights.columns())) sum += static_cast<double>(w);
    undefined += std::isnan(sum);
    if (sum == 0 || std::isnan(sum)) continue;
    if (!extent) extent = {sum, sum};
    extent->least = std::min(extent->least, sum), extent->most = std::max(extent->most, sum);
  }
  if (!extent) return;
  const double near = format == NumberFormat::float32 ? kNearOne : kNearOneOfHalf;
  const bool one = std::abs(extent->least - 1) <= near && std::abs(extent->most - 1) <= near;
  const std::string nan = undefined == 0 ? "" : "; NaN in " + std::to_string(undefined);
  facts.push_back({"rows of the weights add up to", words_of(*extent) + nan, one && undefined == 0,
                   "a softmax over the keys makes the weights of each query add up to 1"});
}

void add_masked_weight(std::vector<Fact>& facts, const Tensor& yours, const Tensor& ours) {
  double most = 0;
  for (std::size_t i = 0; i < ours.values().size(); ++i)
    if (ours.values()[i] == 0) most = std::max(most, std::abs(static_cast<double>(yours.values()[i])));
  facts.push_back({"weight on masked keys", most == 0 ? "0" : "up to " + fitted_words(most), most == 0,
                   "the largest of yours where the mask of the layer leaves none"});
}

void add_dropped(std::vector<Fact>& facts, const Tensor& yours, const Tensor& ours) {
  std::size_t zeros = 0, all = 0;
  for (std::size_t i = 0; i < ours.values().size(); ++i) {
    if (ours.values()[i] == 0) continue;
    ++all;
    if (yours.values()[i] == 0) ++zeros;
  }
  if (all == 0) return;
  std::string value = std::to_string(zeros);
  if (zeros > 0) value += ", " + percent(static_cast<double>(zeros) / static_cast<double>(all));
  facts.push_back({"zeros that dropout would leave", value, zeros == 0,
                   "weights of yours that are exactly 0 where the layer’s are not"});
}

void add_weights(std::vector<Fact>& facts, const GivenNumbers& numbers, const LayerSpec& layer,
                 NumberFormat format) {
  const Tensor* yours = numbers.find_yours(given_id::weights);
  const Tensor* ours = numbers.find_ours(given_id::weights);
  if (!yours || yours->empty()) return;
  if (weighting_text(weighting_of(layer)).total == RowTotal::one) add_row_sums(facts, *yours, format);
  if (!ours || ours->shape() != yours->shape()) return;
  const bool masked = !layer.masks.empty() || !layer.mask.empty();
  if (masked) add_masked_weight(facts, *yours, *ours);
  add_dropped(facts, *yours, *ours);
}

std::vector<PairOfNumbers> numbers_in_both(const Tensor& yours, const Tensor& ours) {
  std::vector<PairOfNumbers> pairs;
  for (std::size_t i = 0; i < yours.values().size(); ++i) {
    const float a = yours.values()[i], b = ours.values()[i];
    if (std::isfinite(a) && std::isfinite(b) && !is_fill(a) && !is_fill(b))
      pairs.push_back({static_cast<double>(a), static_cast<double>(b)});
  }
  return pairs;
}

// The ratio of standard deviations.
double spread_ratio(const std::vector<PairOfNumbers>& pairs) {
  PairOfNumbers mean, squares;
  const double count = static_cast<double>(pairs.size());
  for (const PairOfNumbers& p : pairs) mean.yours += p.yours / count, mean.ours += p.ours / count;
  for (const PairOfNumbers& p : pairs) {
    squares.yours += (p.yours - mean.yours) * (p.yours - mean.yours);
    squares.ours += (p.ours - mean.ours) * (p.ours - mean.ours);
  }
  return std::sqrt(squares.yours / squares.ours);
}

// Of the first stage that differs.
void add_ratios(std::vector<Fact>& facts, const GivenNumbers& numbers, NumberFormat format) {
  for (std::size_t s = 0; s < std::min(numbers.yours.size(), numbers.ours.size()); ++s) {
    const auto& [id, yours] = numbers.yours[s];
    const Tensor& ours = numbers.ours[s].numbers;
    if (yours.shape() != ours.shape() || closeness_of(yours, ours, {.can_be_masked = true}).equal) continue;
    const std::vector<PairOfNumbers> pairs = numbers_in_both(yours, ours);
    const double spread = spread_ratio(pairs);
    if (pairs.size() < 2 || !std::isfinite(spread)) return;
    const bool same = std::abs(spread - 1) < kNearOne;
    const auto fit = fitted_ratio(pairs, format);
    const bool constant = fit && fit->share >= kConstant;
    facts.push_back({"spread of " + id + ", against ours",
                     fitted_words(spread) + (same       ? ""
                                             : constant ? ": a scale"
                                                        : ""),
                     same, "the standard deviation of yours ÷ that of ours, where neither is masked"});
    facts.push_back(
        {"ratio, cell by cell", constant ? "constant: " + fitted_words(fit->ratio) : "not constant", constant,
         "where one number times ours is yours it is a matter of scale; else of an order, an axis "
         "or of something that is added or left out"});
    return;
  }
}

}  // namespace

std::vector<Fact> facts_of(const GivenNumbers& numbers, const LayerSpec& ours) {
  std::vector<Fact> facts;
  const NumberFormat format = format_of(numbers);
  add_weights(facts, numbers, ours, format);
  add_ratios(facts, numbers, format);
  if (format != NumberFormat::float32)
    facts.push_back({"all numbers are of", name(format), ours.precision == format,
                     "each of yours is a number that this format has: they were rounded to it"});
  return facts;
}

}  // namespace attn
