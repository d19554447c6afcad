// The workspace of training without a screen, for its tests: a small task on a real device.
#pragma once

#include "app/workspaces/training/runs.h"
#include "app/workspaces/training/scene.h"
#include "core/training/plan.h"
#include "tests/app/shared_device.h"
#include "tests/app/workspace_lab.h"
#include "tests/devices.h"

namespace attn::tests {

// The first device that passes its self-test.
inline std::unique_ptr<Backend> open_training_device(Budget& budget) {
  std::vector<std::string> notes;
  for (const opencl::Device& device : devices()->survey().devices)
    if (device.passed) return devices()->choose(std::to_string(device.index), budget, notes);
  throw Error("no device passes its self-test", Fault::device);
}

// A device and the memory for it.
struct TrainingDeviceOfLab {
  std::shared_ptr<Budget> budget = std::make_shared<Budget>();
  std::shared_ptr<Backend> backend = open_training_device(*budget);
};

// That of all windows. Never closed, for at the end the driver may be gone before it.
inline const TrainingDeviceOfLab& shared_training_device() {
  static const TrainingDeviceOfLab& one = *new TrainingDeviceOfLab;
  return one;
}

inline Headless::Options on_training_device(Document document, ImVec2 size) {
  const TrainingDeviceOfLab& device = shared_training_device();
  return {.document = std::move(document),
          .settings = Settings{},
          .size = size,
          .backend = [one = device.backend](
                         std::vector<std::string>&) { return std::make_unique<SharedDevice>(one); },
          .budget = device.budget};
}

// Reverse of four symbols, by a model that takes a moment.
inline Document small_training_document() {
  Document document = read_document("three-tokens");
  TrainingSettings& settings = document.training;
  settings.length = 4, settings.symbols = 5, settings.width = 16, settings.inner = 0, settings.layers = 1;
  settings.batch = 16, settings.steps = 60, settings.warm_up = 10, settings.rate = 0.005;
  return document;
}

class TrainingLab : public WorkspaceLab {
 public:
  enum Until { all_steps, until_it_stops };
  explicit TrainingLab(Document document = small_training_document(), Until until = all_steps,
                       ImVec2 size = {1600, 1100})
      : WorkspaceLab(kTrainingPlan.name, on_training_device(std::move(document), size)) {
    if (until == all_steps) wait_for(a(), settings().steps);
    for (int i = 0; i < 100 && until == until_it_stops && !a().seen.stop; ++i) rest();
    rest();
  }

  TrainingView& at() { return view().of<TrainingView>(); }
  TrainingRuns& runs() { return *at().runs; }
  const TrainedRun& a() { return *runs().a; }
  const TrainingSettings& settings() const { return document().training; }
  std::size_t step() { return shown_step(at(), *runs().seen(at())); }
  void rest() {
    settle();
    frames(2);
  }
  // Until a run has come to a step.
  void wait_for(const TrainedRun& run, std::size_t step) {
    for (int i = 0; i < 200 && run.end() < step; ++i) rest();
    REQUIRE(run.end() >= step);
  }
};

}  // namespace attn::tests
