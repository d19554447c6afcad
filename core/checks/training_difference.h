// A gradient of a step of training against a central difference, in double by the reference.
#pragma once

#include <memory>

#include "core/checks/central_differences.h"
#include "core/learning/groups.h"
#include "core/learning/run_log.h"

namespace attn {

// The loss of the step's own batch, its parameters as they were before. Made in pieces.
class TrainingDifference {
 public:
  TrainingDifference(const TrainingSpec& spec, const StepTaken& taken, ParameterCell cell);
  ~TrainingDifference();

  bool step();  // whether it is found; the next piece, otherwise
  // The reference's gradient and the quotient; and the device's gradient beside it.
  Difference found() const;
  double of_device() const;

 private:
  struct Made;
  std::unique_ptr<Made> made_;
};

}  // namespace attn
