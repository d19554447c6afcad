// What a TrainingRunner is made of: what both threads share, and what only the working one has.
#pragma once

#include "core/learning/not_finite.h"
#include "core/learning/piece_of_time.h"
#include "core/learning/runner.h"

namespace attn {

struct ScoredSnapshot {  // a snapshot on its way
  TrainingSnapshot snapshot;
  std::size_t batches = 0;
};
struct RunAway {                           // on a visit
  std::size_t asked = 0, at = 0, end = 0;  // the state that is shown, and behind the step that is taken
  std::shared_ptr<StepTaken> taken = {};
  std::optional<ScoredSnapshot> scored = {};
};
struct FaultSearch {
  std::size_t step = 0;  // that showed it
  std::optional<NotFiniteSearch> in = {};
};

struct TrainingRunner::Work {
  Work(TrainingSpec of, RunOrder order, std::shared_ptr<const TrainingSnapshot> from);

  // Shared, under the runner's mutex.
  RunOrder order;
  RunView shown;
  std::optional<std::size_t> wanted;  // visit

  // Of the working thread alone.
  std::size_t every = 1;  // steps between snapshots
  TrainingSpec spec;
  Backend* backend = nullptr;
  std::unique_ptr<Trainer> trainer;
  // Where the run stands while the trainer is elsewhere, and its last step's norms.
  std::optional<TrainingState> left;
  std::optional<GroupNorms> norms;
  std::optional<ScoredSnapshot> scored;
  std::optional<RunAway> away;
  std::optional<FaultSearch> search;

  // Pieces of work; the mutex guards what is shared.
  bool piece(std::mutex& mutex, Backend& with);
  void begin(std::mutex& mutex, Backend& with);
  void take_steps(std::mutex& mutex, std::size_t end);
  void begin_snapshot();
  void score_snapshot(std::mutex& mutex);
  void begin_visit(std::mutex& mutex, std::size_t step);
  void go_on_visit(std::mutex& mutex);
  void take_visited_step(std::mutex& mutex);
  void publish_visit(std::mutex& mutex);
  void look_for_fault(std::mutex& mutex);
  void stop_at_fault(std::mutex& mutex);
  void lose(std::mutex& mutex, const std::string& why);
  void take_back_losses();  // those behind the last snapshot; under the mutex

  GroupNorms last_norms();
  bool score_some(ScoredSnapshot& of);  // whether all batches are scored
  bool move_to(std::size_t step);       // a piece of the steps there; whether it is there
  void drop();
};

}  // namespace attn
