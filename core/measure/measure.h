// Measuring attention on a device: sample by sample, so that a job can yield, stop and go on, with everything
// in turn.
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/measure/measure_graph.h"
#include "core/measure/measured.h"

namespace attn {

struct MeasureSpec {
  MeasureShape shape = {};
  std::vector<std::size_t> lengths = {};       // n; empty: 16, 32, 64 … `longest`
  std::size_t longest = std::size_t{1} << 20;  // however much would fit
  std::size_t stages_at = 1024;                // the n of the stages' times, or the longest below it; 0: none
  bool attention_alone = false;                // neither the rest of a layer nor the next token
  std::optional<std::vector<std::string>> alone = {};  // of the subjects these; none: all
  int rounds = 7;                                      // how often each is measured
  double seconds_of_run = 2;                           // what would take longer is left out
  double seconds_of_all = 90;                          // … and what would take all of it beyond this
  std::string program = {};                            // the version of this program
};

// One n of something that is measured: what a run does, and counts for.
struct Trial {
  Work work;
  // Returns when it is done; false when it gave up, for which it asks now and then where `give_up` is given.
  std::function<bool(Backend& backend, const GiveUp& give_up)> run;
  // Throws Error(Fault::device) where the last run left wrong numbers; `what` was run. Empty: it is the
  // run's.
  std::function<void(const Backend& backend, const std::string& what)> check = {};
};

// What takes its turns: a mechanism, or what it is compared with.
struct Contender {
  std::string name;
  std::function<Work(std::size_t n)> work;
  std::function<Needs(std::size_t n)> needs;
  std::function<Trial(std::size_t n)> make;                       // may take memory, and a while
  std::size_t longest = std::numeric_limits<std::size_t>::max();  // it takes no turns beyond this n
};
Contender contender_of(const MeasureSubject& subject, const MeasureShape& shape);

// What a measurement asks its surroundings; tests give their own.
struct MeasureSurroundings {
  SecondsClock clock;
  std::function<std::uint64_t()> free_memory;  // bytes
  bool checks = true;                          // whether results are held against the reference
};
MeasureSurroundings this_machine();

// The order: round by round, in each the multiply-add and the copy kernel, then every point from the smallest
// n on with what is measured at it side by side, then the stages. What else happens on the machine so meets
// all of them alike. In the first round each point is run once unmeasured (kernels compile, numbers come to
// the device) and some rows of what it left are checked, and what does not fit or would take too long is left
// out, with all that is longer. What takes much memory is let go after each of its samples, the rest after
// its last.
class Measurement {
 public:
  // `alongside`: measured in turn with the subjects. Throws as check_measurable does.
  explicit Measurement(MeasureSpec spec, std::vector<Contender> alongside = {},
                       MeasureSurroundings surroundings = this_machine());

  // Takes the next sample, or gives it up when asked to, to take it the next time. False when it is over:
  // done, stopped or ended, with what was measured so far, and gives back what it took. Throws nothing.
  bool step(Backend& backend, const GiveUp& give_up = {});
  void stop(Backend& backend);

  const Measured& measured() const { return measured_; }
  const MeasureProgress& progress() const { return progress_; }

 private:
  struct Task {
    enum Kind { multiply_add, copy, point, stages } kind;
    std::size_t contender = 0, n = 0;
  };
  // Of one contender at one n.
  struct Course {
    Trial trial;
    std::size_t point = 0;    // in measured_.points
    std::size_t repeats = 1;  // runs of a sample: short ones are measured together
    double seconds = 0;       // of a run, the shortest so far
    bool kept = true;         // from round to round; else it is made anew
    bool warmed() const { return repeats > 1 || !kept; }  // by a run before its sample
  };
  struct Runner {
    Contender contender;
    std::map<std::size_t, Course> courses;  // by n
    bool ended = false;
  };

  void begin_round();
  bool on_same_device(Backend& backend);
  bool perform(const Task& task, Backend& backend, const GiveUp& give_up);
  bool perform_drill(DrillKind kind, Backend& backend);
  bool perform_point(const Task& task, Backend& backend, const GiveUp& give_up);
  bool perform_stages(Backend& backend, const GiveUp& give_up);
  bool begin_stages(Backend& backend, const GiveUp& give_up);
  std::optional<double> time(Backend& backend, const Course& course, std::size_t repeats,
                             const GiveUp& give_up);
  bool begin_course(const Task& task, Backend& backend, const GiveUp& give_up, Course& course);
  bool warm(const Task& task, Backend& backend, const GiveUp& give_up, Course& course);
  void let_go(Backend& backend, Course& course);
  std::string refused(const Runner& runner, std::size_t n, const Backend& backend) const;
  double expected(const Runner& runner, std::size_t n) const;
  double seconds_of(const Task& task) const;
  double seconds_of_round() const;
  void plan_progress();
  std::string words(const Task& task) const;
  void leave_out(const std::string& subject, std::size_t n, const std::string& why);
  void end(Backend& backend, MeasureState state, const std::string& why);

  MeasureSpec spec_;
  MeasureSurroundings surroundings_;
  std::vector<Runner> runners_;
  std::deque<Task> tasks_;  // of this round
  int round_ = 0;           // that begins next
  std::optional<MeasureLayer> layer_;
  std::unique_ptr<Program> layer_program_;
  double drill_seconds_ = 0, stages_seconds_ = 0;  // that they took
  std::map<DrillKind, std::size_t> passes_;
  Measured measured_;
  MeasureProgress progress_;
};

}  // namespace attn
