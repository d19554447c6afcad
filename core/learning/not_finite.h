// Where a run's numbers went beyond all bounds: looked for step by step and stage by stage, and told in the
// same words wherever the run stops.
#pragma once

#include <optional>
#include <string>

#include "core/learning/training.h"

namespace attn {

bool all_finite(const std::vector<Tensor>& tensors);
bool all_finite(const TrainingState& state);

// The first number that is NaN or infinite.
struct NotFinite {
  std::size_t step = 0;    // that made it, counted from 0
  std::string stage = {};  // by its id; empty: the loss alone shows it
  // What happened and what helps: "step 3: the first NaN number is in the gradient of …".
  std::string words = {};
};

// Looks for it, some stages at a time. Refers to both.
class NotFiniteSearch {
 public:
  // `trainer` is at a state of finite numbers, `shown` the step whose loss is not finite, or that ended with
  // such parameters.
  NotFiniteSearch(Trainer& trainer, Backend& backend, std::size_t shown);
  // A piece of some milliseconds; whether that was the last.
  bool piece();
  // Once it is through.
  const NotFinite& found() const { return found_; }

 private:
  void begin_step();
  bool look();  // at some stages; whether it is through with the step, or found it
  void tell(const std::string& what);

  Trainer& trainer_;
  Backend& backend_;
  std::size_t shown_;
  std::optional<TrainingGraph> step_;  // that is looked through
  std::vector<Tensor> outputs_;        // of its stages
  NotFinite found_;
};

}  // namespace attn
