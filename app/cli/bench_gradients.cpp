// What the way back adds to a layer: forward and backward against forward, in turn.
#include "app/cli/bench.h"
#include "core/attention/layer.h"
#include "core/backend/program.h"
#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"
#include "core/opencl/devices.h"

namespace attn::bench {

Measure there_and_back(Sizes sizes, const TimedDevice& device, const Amount& amount,
                       Calibration& calibration) {
  constexpr double kMostTimes = 4;
  Graph forward, both;
  const LayerSpec layer = layer_of(sizes).layer();
  append_layer(forward, layer);
  const LayerStages stages = append_layer(both, layer);
  append_gradients(both, append_loss(both, stages.output, {}));
  Budget budget;
  std::vector<std::string> notes;
  const auto backend = device.devices->choose(device.word, budget, notes);
  const auto there = backend->compile(forward, {}), back = backend->compile(both, {});
  const auto time = [&](Program& program) {
    const Stopwatch watch;
    program.run_all();
    backend->finish();
    return watch.wall();
  };
  Times times;
  time(*there), time(*back);  // compiles the kernels
  for (int i = 0; i < amount.samples; ++i) {
    const double once = time(*there);
    times.wall.push_back(time(*back) / once);
    calibration.sample();
  }
  Measure row =
      measure_of("forward and backward ÷ forward, " + words_of(sizes) + ": computing", times, kMostTimes);
  row.unit = "×";
  row.processor.reset();
  row.high = row.median;  // of quotients: one that was disturbed says nothing of the other
  return row;
}

}  // namespace attn::bench
