// What `trace -o` adds to computing: the stages of a large layer compared with the reference and packed into
// an .npz as they are computed.
#include <filesystem>

#include "app/cli/bench.h"
#include "core/evaluate/run.h"
#include "core/io/stages_npz.h"
#include "core/opencl/devices.h"
#include "core/opencl/watch.h"
#include "core/system/file.h"

namespace attn::bench {

std::vector<Measure> pack(Sizes sizes, const TimedDevice& device, const Amount& amount,
                          Calibration& calibration) {
  const Graph graph = build_graph(layer_of(sizes).layer());
  Budget budget;
  std::vector<std::string> notes;
  const auto backend = device.devices->choose(device.word, budget, notes);
  const std::string path = (std::filesystem::temp_directory_path() / "attention-lab-bench.npz").string();
  std::vector<double> computing, comparing, packing, share;
  for (int i = 0; i <= amount.large_samples; ++i) {
    FileWriter file(path);  // never committed: it is gone when the sample is done
    StagesWriter writer(graph, [&](Bytes bytes) { file.write(bytes); });
    opencl::Watch reference(graph);
    double compared = 0, packed = 0;
    const auto timed = [](double& sum, const auto& work) {
      const Stopwatch watch;
      work();
      sum += watch.wall();
    };
    const Stopwatch watch;
    run_stages(*backend, graph,
               {.check =
                    [&](StageIndex stage, Inputs inputs, const Tensor& output) {
                      timed(compared, [&] { reference.look(backend->name(), stage, inputs, output); });
                    },
                .done = [&](StageIndex stage,
                            const Tensor& output) { timed(packed, [&] { writer.add(stage, output); }); }});
    const double computed = watch.wall() - packed - compared;
    if (i == 0) continue;  // compiles the kernels
    computing.push_back(computed), comparing.push_back(compared), packing.push_back(packed);
    share.push_back(packed / computed);
    calibration.sample();
  }
  const std::string what = "trace " + words_of(sizes) + ": ";
  const auto row = [&](const char* name, const std::vector<double>& values) {
    return measure_of(what + name, Times{.wall = values, .processor = {}}, std::nullopt);
  };
  std::vector<Measure> rows{row("computing", computing), row("comparing with the reference", comparing),
                            row("packing the .npz", packing), row("packing ÷ computing", share)};
  rows.back().unit = "×";
  rows.back().target = 1;
  for (Measure& measure : rows) measure.processor.reset();
  return rows;
}

}  // namespace attn::bench
