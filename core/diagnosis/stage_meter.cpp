// One stage after the other, as far as there is something to win.
#include "core/diagnosis/stage_meter.h"

#include <algorithm>
#include <limits>

#include "core/diagnosis/stage_meaning.h"

namespace attn {
namespace {

constexpr double kFarOff = std::numeric_limits<double>::infinity();

void take_far(MeasuredLayer& measured) {
  measured.stages.push_back(kFarOff);
  measured.within.push_back(false);
  measured.numbers.emplace_back();
  measured.maskable.push_back(false);
  measured.distance = kFarOff;
}

}  // namespace

StageMeter::StageMeter(std::vector<GivenStage> yours, Tolerance tolerance)
    : yours_(std::move(yours)), tolerance_(tolerance), count_(yours_.size()) {}

bool StageMeter::are_of(NumberFormat format) const {
  if (format == NumberFormat::float32) return true;
  return std::all_of(yours_.begin(), yours_.begin() + static_cast<std::ptrdiff_t>(count_),
                     [&](const GivenStage& stage) { return is_of_format(stage.numbers, format); });
}

MeasuredLayer StageMeter::measure(Backend& backend, const LayerSpec& layer,
                                  std::optional<double> give_up_above) {
  MeasuredLayer measured;
  LayerRunner::Running running = runner_.begin(build_graph(layer));
  const double count = static_cast<double>(std::max<std::size_t>(count_, 1));
  bool all_within = true;
  for (std::size_t s = 0; s < count_ && measured.complete; ++s) {
    const Tensor& yours = yours_[s].numbers;
    std::optional<Closeness> nearest;
    Tensor numbers;
    bool maskable = false;
    measured.shapes.emplace_back();
    for (const StageIndex stage : stages_meant(running.graph, yours_[s].id)) {
      measured.shapes.back() = running.graph.stages[stage].shape;
      if (measured.shapes.back() != yours.shape()) continue;
      Tensor ours = runner_.numbers(backend, running, stage);
      if (side_by_side_) ours = as_given(running.graph, stage, ours, yours);
      const bool masks = can_be_masked(running.graph, stage);
      const Closeness close = closeness_of(yours, ours, {tolerance_, masks, layer.precision});
      if (nearest && !(close.distance < nearest->distance)) continue;
      nearest = close, numbers = ours, maskable = masks;
    }
    if (nearest) {
      measured.stages.push_back(nearest->distance);
      measured.within.push_back(nearest->equal);
      measured.numbers.push_back(numbers);
      measured.maskable.push_back(maskable);
      measured.distance += nearest->distance / count;
    } else {
      take_far(measured);
    }
    all_within = all_within && measured.within.back();
    if (give_up_above && !all_within && measured.distance > *give_up_above)
      measured.complete = s + 1 == count_;
  }
  backend.finish();
  measured.reproduces = all_within && measured.complete && are_of(layer.precision);
  return measured;
}

GivenNumbers StageMeter::numbers_of(const MeasuredLayer& measured) const {
  GivenNumbers numbers;
  for (std::size_t s = 0; s < measured.numbers.size(); ++s) {
    numbers.yours.push_back(yours_[s]);
    numbers.ours.push_back({yours_[s].id, measured.numbers[s]});
  }
  return numbers;
}

}  // namespace attn
