// The program as it starts and as it rests, measured in child processes: in a window where there is a
// display, else offscreen.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <thread>

#include "app/cli/bench.h"
#include "app/cli/commands.h"
#include "app/host/offscreen.h"
#include "app/program/input.h"
#include "app/program/start.h"
#include "core/opencl/devices.h"
#include "core/opencl/watched.h"
#include "core/system/child.h"

namespace attn::bench {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kPatience = 180s;  // for a child that hangs
constexpr auto kQuiet = 1000ms;   // without a frame: what starting set off is over
constexpr auto kLonger = 20ms;    // between two looks

bool has_display() {
  return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
}

long long nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

// Settings and the open work of whoever runs this stay as they are.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "attention-lab-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data())) path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The numbers that a child of this program prints, or why there are none.
struct Answer {
  std::vector<double> numbers;
  std::string why;
};

enum class Caches { kept, empty };

Answer ask_child(const std::string& what, long long number, std::size_t expected,
                 std::chrono::milliseconds limit, Caches caches = Caches::kept) {
  const Folder folder;
  ChildOptions options{.variables = {{"XDG_CONFIG_HOME", folder.path()}, {"XDG_STATE_HOME", folder.path()}},
                       .limit = limit};
  if (caches == Caches::empty) options.variables["XDG_CACHE_HOME"] = folder.path();
  const Child child =
      run_child("/proc/self/exe", {"bench", what, "--number", std::to_string(number)}, options);
  std::istringstream words(child.output);
  Answer answer;
  std::copy(std::istream_iterator<double>(words), {}, std::back_inserter(answer.numbers));
  if (!child.succeeded() || answer.numbers.size() != expected) answer.why = "the program " + child.ending();
  return answer;
}

Headless::Options offscreen_options(const Console& console) {
  const auto budget = std::make_shared<Budget>();
  return {.document = read_document(kStartExample),
          .store = Store::from_environment(),
          .backend = opencl::watched(console.devices, "auto", budget),
          .test_devices = [devices = console.devices] { devices->survey(); },
          .budget = budget,
          .wait = false};
}

// Counts frames on the UI thread; another thread looks.
struct FrameCount {
  std::atomic<int> frames = 0;
  std::atomic<Clock::rep> last = Clock::now().time_since_epoch().count();
  std::atomic<bool> over = false;

  void add() {
    ++frames;
    last = Clock::now().time_since_epoch().count();
  }
  bool quiet() const {
    return frames > 0 && Clock::now() - Clock::time_point(Clock::duration(last)) > kQuiet;
  }
};

struct IdleShare {
  int frames = 0;
  double share = 0;  // of one processor core
};

IdleShare rest(const FrameCount& count, std::chrono::milliseconds duration) {
  const int before = count.frames;
  const Stopwatch watch;
  std::this_thread::sleep_for(duration);
  return {count.frames - before, 100 * watch.processor() / watch.wall()};
}

IdleShare rest_in_window(std::chrono::milliseconds duration, const Console& console) {
  FrameCount count;
  std::atomic<Application*> app = nullptr;
  IdleShare measured;
  std::jthread observer([&](const std::stop_token& stop) {
    while (!count.quiet() && !stop.stop_requested()) std::this_thread::sleep_for(kLonger);
    if (stop.stop_requested()) return;  // the window could not be opened, or somebody has closed it
    measured = rest(count, duration);
    if (stop.stop_requested()) return;
    count.over = true;
    app.load()->engine().survey([] { return std::vector<DeviceChoice>(); });  // wakes the window
  });
  LabRequest request;
  request.drawn = [&](Application& drawn) {
    app = &drawn;
    count.add();
    if (count.over) drawn.request_quit();
  };
  open_lab(request, console);
  observer.request_stop();
  observer.join();
  if (!count.over) throw Error("bench: the window was closed before the time was over", Fault::output);
  return measured;
}

// Without a display nothing waits for events: what is left are the program's own threads.
IdleShare rest_offscreen(std::chrono::milliseconds duration, const Console& console) {
  Offscreen screen(offscreen_options(console));
  screen.lab().settle();
  FrameCount count;
  const IdleShare measured = rest(count, duration);
  return {measured.frames + screen.app().animating(), measured.share};
}

}  // namespace

void first_frame_child(long long started, Console& console) {
  const auto print = [&] { console.out << static_cast<double>(nanoseconds() - started) / 1e6 << '\n'; };
  if (!has_display()) {
    Offscreen screen(offscreen_options(console));
    screen.finish();
    print();
    while (!has_numbers(screen.app().shown().results)) screen.lab().frame();
    screen.finish();
    return print();
  }
  LabRequest request;
  bool frame = false, numbers = false;  // there were
  request.drawn = [&](Application& app) {
    if (!std::exchange(frame, true)) print();
    if (has_numbers(app.shown().results) && !std::exchange(numbers, true)) print();
    // One that is left while a driver is asked hands out nothing.
    if (numbers && !app.shown().testing) app.request_quit();
  };
  open_lab(request, console);
}

void idle_child(std::chrono::milliseconds duration, Console& console) {
  const IdleShare measured = (has_display() ? rest_in_window : rest_offscreen)(duration, console);
  console.out << measured.frames << ' ' << measured.share << '\n';
}

std::vector<Measure> first_frames(const Amount& amount, Calibration& calibration) {
  const std::string where = has_display() ? ", a window" : ", offscreen";
  const auto start = [](Caches caches) {
    return ask_child("first-frame", nanoseconds(), 2, kPatience, caches);
  };
  // `which` of the two times that a start prints.
  const auto row = [&](const std::string& what, std::size_t which, Caches caches, int starts) {
    Times times;
    std::string why;
    for (int i = 0; i < starts; ++i) {
      const Answer answer = start(caches);
      if (answer.why.empty())
        times.wall.push_back(answer.numbers[which]);
      else
        why = answer.why;
      calibration.sample();
    }
    Measure measured = measure_of(what + where, times, 300);
    measured.processor.reset();
    measured.note = why;
    return measured;
  };
  start(Caches::kept);  // warms them
  return {row("first frame after start, caches warm", 0, Caches::kept, amount.starts),
          row("first numbers after start, caches empty", 1, Caches::empty, std::min(amount.starts, 3))};
}

std::vector<Measure> idle(const Amount& amount) {
  const Answer answer = ask_child("idle", amount.idle.count(), 2, amount.idle + kPatience);
  const std::string seconds = std::to_string(amount.idle.count() / 1000) + " s";
  const std::string where = has_display() ? "a window" : "no window: the program's threads";
  const auto row = [&](const std::string& what, const char* unit, std::size_t i, double target) {
    const double number = answer.why.empty() ? answer.numbers[i] : 0;
    return Measure{.what = what + ", " + where,
                   .unit = unit,
                   .median = number,
                   .high = number,
                   .target = target,
                   .note = answer.why};
  };
  return {row("idle for " + seconds + ": frames", "frames", 0, 0),
          row("idle for " + seconds + ": processor", "% of a core", 1, 0.5)};
}

}  // namespace attn::bench
