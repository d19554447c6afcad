// The bench: what the engine's worker does for the workspace of training, in pieces, and what the window
// reads of it. Private to app/workspaces/training.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/learning/moment.h"
#include "core/learning/runner.h"

namespace attn {

// What is seen at snapshots of one run, for some rows.
struct MomentsWanted {
  std::shared_ptr<const TrainingSpec> spec = {};
  std::shared_ptr<const std::vector<TaskRow>> rows = {};
  std::vector<std::shared_ptr<const TrainingSnapshot>> at = {};  // the most urgent first
};

// Its functions may be called from any thread; work() from one at a time.
class TrainingBench {
 public:
  // The window's side. All runs advance side by side.
  void set_runs(std::vector<std::shared_ptr<TrainingRunner>> runs);
  // Goes on to a step, so many a second at most; none: as fast as they come. Again with the same numbers it
  // changes nothing.
  void play(std::size_t to, std::optional<double> steps_a_second);
  void pause();
  // Those that are wanted no more are forgotten.
  void want(const MomentsWanted& wanted);
  std::shared_ptr<const TrainingMoment> moment(const TrainingSnapshot* at) const;  // null: not yet
  bool has_work();
  std::string error() const;  // why moments do not come; empty: they do

  // The worker's side: a piece of some milliseconds. False: there is nothing to do.
  bool work(Backend& backend);

 private:
  using Clock = std::chrono::steady_clock;
  struct Pace {
    std::size_t to = 0, from = 0;
    std::optional<double> speed = {};
    Clock::time_point began = {};
    // The step that it should have reached.
    std::size_t due() const;
  };

  bool is_due(const TrainingRunner& run) const;  // under the lock
  bool work_at_moment(Backend& backend);
  bool work_at_run(Backend& backend);
  std::shared_ptr<const TrainingSnapshot> next_moment() const;  // under the lock

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<TrainingRunner>> runs_;
  std::optional<Pace> pace_;  // none: it is paused
  MomentsWanted wanted_;
  std::map<std::shared_ptr<const TrainingSnapshot>, std::shared_ptr<const TrainingMoment>> moments_;
  std::string error_;

  // The worker's own.
  const Backend* backend_ = nullptr;
  std::shared_ptr<const TrainingSpec> made_for_;
  std::size_t made_rows_ = 0;
  std::unique_ptr<MomentMaker> maker_;
};

}  // namespace attn
