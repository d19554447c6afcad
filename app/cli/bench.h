// What the benchmarks share: how time is taken, and the table that they end in.
#pragma once

#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace attn::bench {

// Milliseconds since it was made.
class Stopwatch {
 public:
  Stopwatch();
  double wall() const;
  double processor() const;  // of all threads of this process together

 private:
  std::chrono::steady_clock::time_point wall_;
  double processor_;
};

struct Times {
  std::vector<double> wall, processor;  // milliseconds, sample by sample
  void add(const Stopwatch& watch);
};

// The smallest value that a share of them does not exceed: 0.95 of 20 samples is the 19th.
double quantile(std::vector<double> values, double share);

struct Row {
  std::string what;
  std::string unit = "ms";
  double median = 0, high = 0;           // high: the 95th percentile, which the target is about
  std::optional<double> processor = {};  // 95th percentile of the processor time, where it was taken
  std::optional<double> target;          // at most
  std::string note = {};                 // what is wrong with it; a row with a note does not meet its target

  bool met() const { return note.empty() && target && high <= *target; }
};

Row row_of(const std::string& what, const Times& times, std::optional<double> target);

// A fixed piece of work between the samples: how much of the processor was to be had while they were taken.
class Calibration {
 public:
  void sample();
  Row row() const;
  double slowdown() const;  // 95th percentile by the fastest

 private:
  Times times_;
};

// How much is measured.
struct Plan {
  int samples = 200, starts = 15;
  std::chrono::milliseconds idle{10'000};
};
inline constexpr Plan kQuickPlan{.samples = 3, .starts = 1, .idle = std::chrono::milliseconds(50)};

// The rows of `bench frames`. `device`: as in --device.
Row scrub(std::size_t tokens, std::size_t width, std::size_t heads, double target, const std::string& device,
          const Plan& plan, Calibration& calibration);
Row maps(const Plan& plan, Calibration& calibration);
Row curves(const Plan& plan, Calibration& calibration);
Row scatter(const Plan& plan, Calibration& calibration);
Row first_frame(const Plan& plan, Calibration& calibration);
std::vector<Row> idle(const Plan& plan);

// What first_frame and idle run in child processes: the program itself, as it starts for a person. They print
// numbers for the parent.
void first_frame_child(long long started, std::ostream& out, std::ostream& err);
void idle_child(std::chrono::milliseconds duration, std::ostream& out, std::ostream& err);

}  // namespace attn::bench
