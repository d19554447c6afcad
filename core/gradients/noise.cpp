// A layer of random numbers, the gradient of its queries, and what is said of that.
#include "core/gradients/noise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/attention/layer.h"
#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"
#include "core/tensor/random.h"

namespace attn {
namespace {

// The numbers of matrix `which`: no two matrices share one.
Tensor drawn(const GradientsSpec& spec, std::uint64_t which, float factor) {
  const std::size_t count = spec.noise_tokens * spec.noise_width;
  std::vector<float> values(count);
  for (std::size_t e = 0; e < count; ++e)
    values[e] = factor * random_normal(spec.noise_seed, which * count + e);
  return {{1, spec.noise_tokens, spec.noise_width}, std::move(values)};
}

double size_of_number(float x) {
  return std::abs(static_cast<double>(x));
}

std::span<const float> row_of(const Tensor& tensor, std::size_t row) {
  return tensor.values().subspan(row * tensor.columns(), tensor.columns());
}

std::size_t bin_of(const LogBins& bins, double size) {
  const double along = std::log(size / bins.low) / std::log(bins.high / bins.low);
  const double bin = std::floor(along * static_cast<double>(bins.count));
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(bins.count - 1)));
}

}  // namespace

NoiseStages append_noise(Graph& graph, const GradientsSpec& spec, bool scaled) {
  LayerSpec layer;
  layer.direct = true;
  layer.q = drawn(spec, 0, 1), layer.k = drawn(spec, 1, 1), layer.v = drawn(spec, 2, 1);
  layer.scale.mode = scaled ? ScaleMode::sqrt : ScaleMode::none;
  const char* prefix = scaled ? "scaled." : "unscaled.";
  const LayerStages stages =
      append_layer(graph, layer, {.prefix = prefix, .title = scaled ? "÷ √d_k" : "scale off"});
  const auto share = static_cast<float>(1 / static_cast<double>(spec.noise_tokens * spec.noise_width));
  const StageIndex loss =
      append_loss(graph, stages.output, {.kind = LossKind::typed, .given = drawn(spec, 3, share)});
  const std::array of{stages.q};
  const Gradients gradients = append_gradients(graph, loss, of);
  return {graph.stages[stages.q].part, stages.weights, *gradients.find(stages.q)};
}

double median_size(const Tensor& numbers) {
  std::vector<double> sizes;
  for (const float x : numbers.values()) sizes.push_back(size_of_number(x));
  if (sizes.empty()) return 0;
  std::ranges::sort(sizes);
  const std::size_t half = sizes.size() / 2;
  return sizes.size() % 2 == 1 ? sizes[half] : (sizes[half - 1] + sizes[half]) / 2;
}

double power_below(const Tensor& numbers) {
  double least = HUGE_VAL;
  for (const float x : numbers.values())
    if (x != 0) least = std::min(least, size_of_number(x));
  return std::isfinite(least) ? std::pow(10, std::floor(std::log10(least))) : 1;
}

double LogBins::ratio() const {
  return std::pow(high / low, 1 / static_cast<double>(count));
}

NoiseFigures noise_figures(const Tensor& d_q, const Tensor& weights, double line, const LogBins& bins) {
  NoiseFigures found{.bins = std::vector<std::size_t>(bins.count)};
  std::size_t below = 0, saturated = 0;
  double squares = 0;
  for (std::size_t row = 0; row < d_q.rows(); ++row) {
    double in_row = 0;
    for (const float x : row_of(d_q, row)) {
      const double size = size_of_number(x);
      in_row += size * size;
      below += size < line;
      if (size == 0)
        ++found.zeros;
      else
        ++found.bins[bin_of(bins, size)];
    }
    squares += in_row;
    const double norm = std::sqrt(in_row);
    if (row == 0 || norm < found.least) found.least = norm, found.least_row = row;
    saturated += static_cast<double>(std::ranges::max(row_of(weights, row))) > kSaturated;
  }
  found.norm = std::sqrt(squares);
  found.below = static_cast<double>(below) / static_cast<double>(d_q.values().size());
  found.saturated = static_cast<double>(saturated) / static_cast<double>(d_q.rows());
  return found;
}

}  // namespace attn
