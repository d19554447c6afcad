// What the benchmarks share: how time is taken, and the table that they end in.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/host/headless.h"
#include "core/document/document.h"

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

struct Measure {
  std::string what;
  std::string unit = "ms";
  double median = 0, high = 0;           // high: the 95th percentile, which the target is about
  std::optional<double> processor = {};  // 95th percentile of the processor time, where it was taken
  std::optional<double> target;          // at most
  std::string note = {};                 // what is wrong with it; a row with a note does not meet its target

  bool met() const { return note.empty() && target && high <= *target; }
};

Measure measure_of(const std::string& what, const Times& times, std::optional<double> target);

// A fixed piece of work between the samples: how much of the processor was to be had while they were taken.
class Calibration {
 public:
  void sample();
  Measure row() const;
  double slowdown() const;  // 95th percentile by the fastest

 private:
  Times times_;
};

// How much is measured.
struct Amount {
  int samples = 200, starts = 15;
  int large_samples = 15;  // of layers whose results take hundreds of megabytes
  std::chrono::milliseconds idle{10'000};
  bool quick() const { return starts == 1; }
};
inline constexpr Amount kQuick{
    .samples = 3, .starts = 1, .large_samples = 1, .idle = std::chrono::milliseconds(50)};

// What it is measured on: `word` as in --device.
struct TimedDevice {
  std::shared_ptr<opencl::Devices> devices;
  std::string word;
};

// A layer of random numbers, and what it is called in a row.
struct Sizes {
  std::size_t tokens, width, heads;
};
Document layer_of(Sizes sizes);
std::string words_of(Sizes sizes);

// A cell on screen of a stage, found as a person finds it: by pointing.
ImVec2 find_cell(Headless& lab, const std::function<bool(const Stage&)>& wanted);

// The rows of `bench large`: outputs, maps and rows of layers whose weights are not kept.
std::vector<Measure> large(const TimedDevice& device, const Amount& amount, Calibration& calibration);

// The rows of `bench trace`: computing, comparing and packing what was computed, and packing by computing.
std::vector<Measure> pack(Sizes sizes, const TimedDevice& device, const Amount& amount,
                          Calibration& calibration);

// The rows of `bench frames`.
Measure scrub(Sizes sizes, std::optional<double> target, const TimedDevice& device, const Amount& amount,
              Calibration& calibration);
// A frame of the program in which nothing happens, of the host without pixels.
Measure rest(Sizes sizes, const Amount& amount, Calibration& calibration);
// A layer with the way back from its loss, as a multiple of the layer alone.
Measure there_and_back(Sizes sizes, const TimedDevice& device, const Amount& amount,
                       Calibration& calibration);
Measure maps(const Amount& amount, Calibration& calibration);
Measure curves(const Amount& amount, Calibration& calibration);
Measure scatter(const Amount& amount, Calibration& calibration);
// What a workspace has measured of it.
std::vector<Measure> timed_rows(const Workspace& workspace, const TimedDevice& device, const Amount& amount,
                                Calibration& calibration);
// What is measured of it apart, by `bench NAME` alone.
std::vector<Measure> own_rows(const Workspace& workspace, const TimedDevice& device, const Amount& amount,
                              Calibration& calibration);
std::vector<Measure> first_frames(const Amount& amount, Calibration& calibration);
std::vector<Measure> idle(const Amount& amount);

// A step of training and the products in it, and how long a task takes to be learnt.
std::vector<Measure> training(const TimedDevice& device, const Amount& amount, Calibration& calibration);

// Attention's time over n on a device, with Eigen's in turn; no row has a target.
inline constexpr const char *kFrames = "frames", *kTrace = "trace", *kTraining = "training",
                            *kAttention = "attention", *kLarge = "large";
void attention(const BenchRequest& request, Console& console);

// What first_frames and idle run in child processes: the program itself, as it starts for a person. They
// print numbers for the parent.
void first_frame_child(long long started, Console& console);
void idle_child(std::chrono::milliseconds duration, Console& console);

}  // namespace attn::bench
