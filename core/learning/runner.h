// A run of training as a window has it: one thread works at it in pieces, another reads how far it is.
#pragma once

#include <mutex>

#include "core/learning/run_log.h"

namespace attn {

struct RunOrder {
  std::size_t steps = 0;                            // where it stops
  std::size_t snapshot_every = 0;                   // 0: snapshot_spacing(steps)
  std::size_t held_out_batches = 0;                 // that a snapshot is scored by; 0: of scored_rows()
  std::size_t most_bytes = std::size_t{256} << 20;  // of the log
};

// From one snapshot to the next, so that a run of so many steps has about 30.
std::size_t snapshot_spacing(std::size_t steps);
// Held-out rows that a snapshot is scored by: whole batches, 256 rows or a little more.
std::size_t scored_rows(const TrainingSpec& spec);

// Why a run went no further than its last snapshot.
struct RunStop {
  enum Why { not_finite, device };
  Why why = not_finite;
  std::size_t step = 0;    // at which it showed, counted from 0
  std::string stage = {};  // of not_finite: the first that has such a number, by its id
  std::string words = {};  // what happened, and what to do
};

// What is asked for by visit().
struct TrainingVisit {
  std::size_t step = 0;
  TrainingSnapshot at;                     // the state behind `step` steps
  std::shared_ptr<const StepTaken> taken;  // the step that led there; of step 0 the first one
};

// What update() fills, of one runner.
struct RunView {
  std::uint64_t version = 0, cut = 0;  // changes; times that losses were taken back
  TrainingLog log;
  std::optional<RunStop> stop;
  std::shared_ptr<const TrainingVisit> visited;  // the newest that was asked for, once it is there
  double step_seconds = 0;                       // of the last piece
};

// Its functions may be called from any thread; work() from one at a time. It keeps a reference to the backend
// that it last worked with: let_go() before that one goes.
class TrainingRunner {
 public:
  // `from`: a branch, which begins there: the spec may have another rate, batch, optimiser or seed, but has
  // the same parameters; moments that the other optimiser had none of begin at 0. Throws Error(Fault::option)
  // with the refusal.
  TrainingRunner(TrainingSpec spec, RunOrder order, std::shared_ptr<const TrainingSnapshot> from = nullptr);
  ~TrainingRunner();

  // The worker's side: one piece of about 5 ms: steps, a part of a snapshot or of a visit. False: there is
  // nothing to do. A failing device stops the run (RunStop::device) at its last snapshot.
  bool work(Backend& backend);
  // Lets go of what is on the device; the next piece makes it anew from the last snapshot.
  void let_go();

  // The window's side. Whether there was anything new to tell.
  bool update(RunView& seen) const;
  bool has_work() const;  // steps to take, or a visit
  std::size_t step() const;
  void order_steps(std::size_t steps);  // goes on, or stops there
  // Any step that was taken, from the log's first on: made again from the nearest snapshot, bit for bit. The
  // newest call wins.
  void visit(std::size_t step);
  // After a device was lost: goes on with whatever backend work() gets.
  void go_on();

 private:
  struct Work;
  mutable std::mutex mutex_;
  std::unique_ptr<Work> work_;
};

// The same run with half the rate: what helps when numbers grow beyond all bounds.
TrainingSpec half_rate(TrainingSpec spec);

}  // namespace attn
