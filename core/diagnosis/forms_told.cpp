// Mistakes with a number or a pattern of their own, which yours beside ours tell: a temperature, and which
// weights dropout left.
#include <algorithm>
#include <cmath>

#include "core/diagnosis/fitting.h"
#include "core/diagnosis/given_ids.h"
#include "core/diagnosis/mistake_forms.h"

namespace attn::mistake_forms {
namespace {

constexpr double kWeightOfNone = 1e-30;  // below: its logarithm says nothing
constexpr double kHalf = 0.5;            // of the numbers, at least, have to agree with a fit

using NumberPairs = std::vector<PairOfNumbers>;

NumberPairs pairs_of(const Tensor& yours, const Tensor& ours) {
  NumberPairs pairs;
  for (std::size_t i = 0; i < yours.values().size(); ++i) {
    const PairOfNumbers pair{static_cast<double>(yours.values()[i]), static_cast<double>(ours.values()[i])};
    if (std::isfinite(pair.yours) && std::isfinite(pair.ours)) pairs.push_back(pair);
  }
  return pairs;
}

// Logarithms of a row of weights are its scores but for a number that all of them share: less their mean
// they are the scores less theirs.
NumberPairs log_pairs(const Tensor& yours, const Tensor& ours) {
  NumberPairs pairs;
  const std::size_t m = yours.columns();
  for (std::size_t row = 0; row < yours.stack() * yours.rows(); ++row) {
    const std::size_t begin = pairs.size();
    PairOfNumbers mean;
    for (std::size_t i = row * m; i < (row + 1) * m; ++i) {
      const auto a = static_cast<double>(yours.values()[i]), b = static_cast<double>(ours.values()[i]);
      if (!(a > kWeightOfNone) || !(b > kWeightOfNone)) continue;
      pairs.push_back({std::log(a), std::log(b)});
      mean.yours += pairs.back().yours, mean.ours += pairs.back().ours;
    }
    const double count = static_cast<double>(pairs.size() - begin);
    for (std::size_t i = begin; i < pairs.size(); ++i)
      pairs[i].yours -= mean.yours / count, pairs[i].ours -= mean.ours / count;
  }
  return pairs;
}

struct SameStage {
  const Tensor *yours = nullptr, *ours = nullptr;
  explicit operator bool() const {
    return yours && ours && yours->shape() == ours->shape() && yours->shape().size() > 0;
  }
};
SameStage stage_of(const GivenNumbers& numbers, std::string_view id) {
  return {numbers.find_yours(id), numbers.find_ours(id)};
}

// Numbers that are the layer's scaled scores, or differ from them by what a row shares.
NumberPairs score_pairs(const LayerSpec& layer, const GivenNumbers& numbers) {
  if (const SameStage scaled = stage_of(numbers, given_id::scaled))
    return pairs_of(*scaled.yours, *scaled.ours);
  // A cap or a bias comes between: what follows is no multiple.
  const bool adds = !layer.bias.empty() || std::holds_alternative<Alibi>(layer.position) ||
                    std::holds_alternative<Relative>(layer.position) ||
                    std::holds_alternative<T5Bias>(layer.position);
  if (adds || layer.soft_cap != 0) return {};
  const SameStage weights = stage_of(numbers, given_id::weights);
  const bool exponential = layer.weighting == Weighting::softmax && layer.softmax_over == SoftmaxOver::keys;
  return weights && exponential ? log_pairs(*weights.yours, *weights.ours) : NumberPairs{};
}

bool is_dropped(float yours, float ours) {
  return yours == 0 && ours != 0;
}

}  // namespace

Forms temperature(const LayerSpec& layer, const GivenNumbers& numbers) {
  if (layer.temperature == 0) return {};
  const auto fit = fitted_ratio(score_pairs(layer, numbers), layer.precision);
  if (!fit || !(fit->ratio > 0) || fit->share < kHalf) return {};
  const double fitted = as_written(layer.temperature / fit->ratio, layer.precision);
  // What is this near is the order of summing.
  constexpr double kNear = 1e-5;
  if (!std::isfinite(fitted) || std::abs(fitted / layer.temperature - 1) < kNear) return {};
  return {changed(
      layer, [&](LayerSpec& l) { l.temperature = fitted; }, "T = " + fitted_words(fitted))};
}

// Only where what is left of ours is one number times it.
Forms dropout_on(const LayerSpec& layer, const GivenNumbers& numbers) {
  SameStage weights = stage_of(numbers, given_id::dropped);
  if (!weights) weights = stage_of(numbers, given_id::weights);
  if (!weights || layer.dropout != 0) return {};
  std::vector<float> kept;
  NumberPairs left;
  bool any = false;
  for (std::size_t i = 0; i < weights.yours->values().size(); ++i) {
    const float yours = weights.yours->values()[i], ours = weights.ours->values()[i];
    const bool drop = is_dropped(yours, ours);
    any = any || drop;
    kept.push_back(drop ? 0.0f : 1.0f);
    if (!drop && yours != 0) left.push_back({static_cast<double>(yours), static_cast<double>(ours)});
  }
  if (!any) return {};
  const auto fit = fitted_ratio(left, layer.precision);
  constexpr double kNearlyAll = 0.98;
  if (!fit || fit->share < kNearlyAll) return {};
  const double p = as_written(1 - 1 / fit->ratio, layer.precision);
  // Below, what is left is ours as it is: the zeros are rows or keys that a mask hides.
  constexpr double kLeastDropout = 0.005;
  if (!(p > kLeastDropout) || !(p < 1)) return {};
  return {changed(
      layer,
      [&](LayerSpec& l) {
        l.dropout = p;
        l.dropout_mask = Tensor(weights.yours->shape(), std::move(kept));
      },
      "p = " + fitted_words(p))};
}

}  // namespace attn::mistake_forms
