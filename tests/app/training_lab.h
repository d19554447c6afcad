// The workspace of training without a screen, for its tests: a small task on a real device.
#pragma once

#include "app/workspaces/training/runs.h"
#include "app/workspaces/training/scene.h"
#include "core/training/plan.h"
#include "tests/app/workspace_lab.h"
#include "tests/devices.h"

namespace attn::tests {

// The first device that passes its self-test.
inline BackendFactory training_device(const std::shared_ptr<Budget>& budget) {
  return [budget](std::vector<std::string>& notes) {
    for (const opencl::Device& device : devices()->survey().devices)
      if (device.passed) return devices()->choose(std::to_string(device.index), *budget, notes);
    throw Error("no device passes its self-test", Fault::device);
  };
}

// The same for a trainer beside the window's.
struct TrainingDeviceOfLab {
  std::shared_ptr<Budget> budget = std::make_shared<Budget>();
  std::vector<std::string> notes = {};
  std::unique_ptr<Backend> backend = training_device(budget)(notes);
};

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
      : TrainingLab(std::move(document), until, size, std::make_shared<Budget>()) {}

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

 private:
  TrainingLab(Document document, Until until, ImVec2 size, const std::shared_ptr<Budget>& budget)
      : WorkspaceLab(kTrainingPlan.name, {.document = std::move(document),
                                          .settings = Settings{},
                                          .size = size,
                                          .backend = training_device(budget),
                                          .budget = budget}) {
    if (until == all_steps) wait_for(a(), settings().steps);
    for (int i = 0; i < 100 && until == until_it_stops && !a().seen.stop; ++i) rest();
    rest();
  }
};

}  // namespace attn::tests
