// bench large: layers whose weights are not kept, opened in a window, looked at and edited; and the memory of
// it.
#include <algorithm>
#include <fstream>
#include <thread>

#include "app/cli/bench.h"
#include "app/host/offscreen.h"
#include "core/attention/layer_fields.h"
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/opencl/watched.h"
#include "core/system/memory.h"

namespace attn::bench {
namespace {

using namespace std::chrono_literals;

constexpr double kOpened = 3000, kPointed = 50, kEdited = 1000;  // milliseconds
constexpr double kMemory = 1024;                                 // MiB
constexpr double kGivenUp = 600'000;                             // milliseconds
constexpr auto kBetweenFrames = 4ms;                             // a window that waits draws few
constexpr float kDown = 3;                                       // pixels, from a row to another
constexpr int kMostOpened = 3, kMostEdits = 5;

// The most memory that the process has had since it was forgotten, in MiB.
class Peak {
 public:
  Peak() {
    std::ofstream forget("/proc/self/clear_refs");
    if (!(forget << "5\n" << std::flush)) refuse();
  }
  double now() const {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
      if (double kib = 0; word == "VmHWM:" && status >> kib) return kib / 1024;
    refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw Error("bench: this system does not say how much memory a process has had", Fault::device);
  }
};

// A window over a small layer, in which large ones are opened.
class LargeLab {
 public:
  LargeLab(Sizes sizes, const TimedDevice& device, std::size_t most_kept)
      : sizes_(sizes),
        budget_(std::make_shared<Budget>(Budget().limit(), most_kept)),
        screen_({.document = layer_of({8, 8, 1}),
                 .settings = Settings{},
                 .backend = opencl::watched(device.devices, device.word, budget_),
                 .budget = budget_}) {}

  // The time until first rows are on screen, and until all outputs and the whole map of weights are. Nothing
  // of it is remembered: its tensors are new.
  void open(Times& first, Times& all) {
    screen_.app().change(layer_of({8, 8, 1}));
    settle();
    const Document large = layer_of(sizes_);
    const Stopwatch watch;
    screen_.app().change(large);
    until_some_rows();
    first.add(watch);
    until_all_rows();
    all.add(watch);
    settle();
  }
  void find_weights() {
    if (now()->result(Role::weights).kept() == Kept::here) throw Error("bench: all weights are kept");
    pointer_ = find_cell(screen_.lab(), [](const Stage& stage) { return stage.role == Role::weights; });
    settle();
  }
  // The time until a number of the weights, some rows down, is there with its row.
  void point(Times& times) {
    pointer_.y += kDown;
    const std::optional<Spot> before = screen_.lab().view().hovered;
    const Stopwatch watch;
    screen_.lab().move(pointer_);
    const std::optional<Spot> spot = screen_.lab().view().hovered;
    if (!before || !spot || spot->stage != before->stage || spot->cell.row == before->cell.row)
      throw Error("bench: a row of the weights further down is not on screen");
    until([&](const Results& results) { return results.result(spot->stage).holds(spot->cell); });
    times.add(watch);
  }
  // The time until first rows follow an edit of X.
  void edit(std::size_t row, Times& times) {
    Document edited = screen_.app().document();
    set_number(edited, kLayerPlan, layer_field::x.stage, {0, row, 0}, 3);
    const Stopwatch watch;
    screen_.app().change(edited);
    until_some_rows();
    times.add(watch);
    until_all_rows();
  }

 private:
  // Frames until something is on screen, the last one finished.
  template <class Condition>
  void until(Condition shown) {
    for (const Stopwatch watch; watch.wall() < kGivenUp;) {
      const auto results = now();  // which this frame shows, or newer ones
      screen_.lab().frame();
      if (results && results->document == screen_.app().document() && shown(*results))
        return screen_.finish();
      std::this_thread::sleep_for(kBetweenFrames);
    }
    throw Error("bench: the numbers of a large layer did not come");
  }
  void until_some_rows() {
    until([](const Results& results) { return results.result(Role::output).with_row(0) != nullptr; });
  }
  void until_all_rows() {
    until([](const Results& results) { return results.result(Role::output).here(); });
  }
  void settle() { screen_.lab().settle(); }
  std::shared_ptr<const Results> now() { return screen_.app().engine_state().results; }

  Sizes sizes_;
  std::shared_ptr<Budget> budget_;
  Offscreen screen_;
  ImVec2 pointer_{};
};

Measure memory_of(const std::string& what, double most, std::optional<double> target) {
  return {.what = what, .unit = "MiB", .median = most, .high = most, .target = target};
}

std::vector<Measure> rows_of(Sizes sizes, const TimedDevice& device, const Amount& amount,
                             std::size_t most_kept, Calibration& calibration) {
  const Peak peak;
  LargeLab lab(sizes, device, most_kept);
  Times first, opened, pointed, edited;
  lab.open(first, opened);
  lab.find_weights();
  for (int sample = 0; sample < amount.large_samples; ++sample) lab.point(pointed), calibration.sample();
  const double opened_memory = peak.now();
  for (int sample = 1; sample < std::min(amount.large_samples, kMostOpened); ++sample)
    lab.open(first, opened), calibration.sample();
  for (int sample = 0; sample < std::min(amount.large_samples, kMostEdits); ++sample)
    lab.edit(static_cast<std::size_t>(sample), edited), calibration.sample();
  const std::string words = words_of(sizes) + ": ";
  return {measure_of(words + "opened, until first rows are on screen", first, std::nullopt),
          measure_of(words + "opened, until outputs and the map of weights are there", opened, kOpened),
          measure_of(words + "a number of weights pointed at, until its row is there", pointed, kPointed),
          measure_of(words + "X edited, until first rows are on screen", edited, kEdited),
          memory_of(words + "memory of the program, opened and pointed at", opened_memory, kMemory),
          memory_of(words + "the same, opened again and edited", peak.now(), std::nullopt)};
}

}  // namespace

std::vector<Measure> large(const TimedDevice& device, const Amount& amount, Calibration& calibration) {
  // So little is kept of a small one that it is large.
  if (amount.quick()) return rows_of({256, 32, 2}, device, amount, std::size_t{1} << 20, calibration);
  std::vector<Measure> rows = rows_of({16384, 64, 1}, device, amount, Budget().most_kept(), calibration);
  give_back_memory();
  for (Measure& row : rows_of({8192, 512, 8}, device, amount, Budget().most_kept(), calibration))
    rows.push_back(std::move(row));
  return rows;
}

}  // namespace attn::bench
