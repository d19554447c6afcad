// TrainingSettings: what is trained in the workspace of training, how, and what the run beside it differs by.
// A plain value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/learning/model.h"
#include "core/learning/task.h"
#include "core/operations/optimizer.h"

namespace attn {

// What run B has otherwise than A: one change, so that nothing else explains where their curves part.
enum class RunDifference { none, no_position, scale_off, one_head, no_residual };

// Its fields, and all that is said about them, are listed in fields.h.
struct TrainingSettings {
  TrainingTaskKind task = TrainingTaskKind::reverse;
  std::size_t length = 8, symbols = 10;  // of a sequence; not of dates, modular and own
  std::size_t modulus = 59;
  double train_share = 0.4;  // of all pairs of modular and own
  Labels pairs;              // of own, a line each; none: the program's own (core/training/spec.h)

  std::size_t layers = 2, heads = 2, width = 32, inner = 64;  // inner 0: attention alone
  TrainingPosition position = TrainingPosition::learned;
  TrainingDecoder decoder = TrainingDecoder::slots;  // of tasks that have one
  bool scale = true, residual = true;

  OptimizerKind optimizer = OptimizerKind::adam;
  double rate = 0.001, beta1 = 0.9, beta2 = 0.98, decay = 0;
  std::size_t batch = 64, warm_up = 40, seed = 7, steps = 300;

  RunDifference beside = RunDifference::no_position;

  bool operator==(const TrainingSettings& other) const;
};

}  // namespace attn
