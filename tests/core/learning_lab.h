// What tests of training share: the device they train on.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/learning/training.h"
#include "tests/devices.h"

namespace attn::tests {

// The first that passes its self-test.
struct TrainingDevice {
  Budget budget;
  std::unique_ptr<Backend> backend;

  TrainingDevice() {
    std::vector<std::string> notes;
    for (const opencl::Device& device : devices()->survey().devices)
      if (device.passed && !backend) backend = devices()->choose(std::to_string(device.index), budget, notes);
    REQUIRE(backend);
  }
};

// One layer over few symbols.
inline TrainingSpec small_training(TrainingTaskKind task) {
  TrainingSpec spec = default_training(task);
  spec.model.layers = 1, spec.model.width = 16, spec.model.heads = 2;
  if (spec.model.inner > 0) spec.model.inner = 24;
  spec.task.length = 6, spec.task.symbols = 8, spec.task.modulus = 7;
  if (task == TrainingTaskKind::own) spec.task.own = pairs_of_text("ab\tba\nabc\tcba\nca\tac\n");
  spec.batch = 4;
  return spec;
}

// One of each task, and where there is a decoder a second that reads what has been written.
inline std::vector<TrainingSpec> small_trainings() {
  std::vector<TrainingSpec> all;
  for (const TrainingTaskText& text : kTrainingTasks) {
    all.push_back(small_training(text.kind));
    if (text.sides != TrainingSides::both) continue;
    all.push_back(all.back());
    all.back().model.decoder = TrainingDecoder::written;
  }
  return all;
}

// What a check that fails is told with.
inline std::string words_of(const TrainingSpec& spec) {
  return std::string(task_text(spec.task.kind).word) + ", " + name(spec.model.decoder);
}

}  // namespace attn::tests
