// The loss of wanted weights, in double from scores: sums of exponentials are taken from each row's largest
// score, so that a weight of nearly nothing still has its logarithm.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/gradients/descent.h"

namespace attn {
namespace {

// One row: its loss is added, its weights and what it asks of its scores are written.
void ask_row(std::span<const float> scores, std::span<const float> wanted, bool one_more, std::size_t begin,
             WantedLoss& to) {
  double most = one_more ? 0 : -std::numeric_limits<double>::infinity();
  for (const float z : scores) most = std::max(most, static_cast<double>(z));
  if (std::isinf(most) && most < 0) most = 0;  // every key is masked
  double sum = one_more ? std::exp(-most) : 0, total = 0;
  for (const float z : scores) sum += std::exp(static_cast<double>(z) - most);
  for (const float share : wanted) total += static_cast<double>(share);
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const double above = static_cast<double>(scores[j]) - most, share = static_cast<double>(wanted[j]);
    const double weight = sum > 0 ? std::exp(above) / sum : 0;
    to.weights[begin + j] = weight;
    if (total > 0) to.upstream[begin + j] = weight * total - share;
    if (share != 0) to.loss -= share * (above - std::log(sum));
  }
}

}  // namespace

WantedLoss wanted_loss(const Tensor& scores, const Tensor& wanted, Weighting weighting) {
  const std::size_t keys = wanted.columns();
  WantedLoss found{.weights = std::vector<double>(wanted.values().size()),
                   .upstream = std::vector<double>(wanted.values().size())};
  std::size_t asked = 0;
  for (std::size_t begin = 0; begin < wanted.values().size(); begin += keys) {
    const auto row = wanted.values().subspan(begin, keys);
    asked += std::ranges::any_of(row, [](float share) { return share != 0; });
    ask_row(scores.values().subspan(begin, keys), row, weighting == Weighting::softmax_1, begin, found);
  }
  const double rows = static_cast<double>(std::max<std::size_t>(1, asked));
  found.loss /= rows;
  for (double& each : found.upstream) each /= rows;
  return found;
}

}  // namespace attn
