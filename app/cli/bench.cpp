// bench: how long the program takes to answer, and what it should take.
#include "app/cli/bench.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "app/workspaces/workspaces.h"
#include "core/system/error.h"

namespace attn {
namespace bench {
namespace {

using Json = nlohmann::ordered_json;

double processor_milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

std::string digits(double value) {
  char buffer[64];
  const int decimals = std::abs(value) < 10 ? 2 : 1;
  const auto [end, status] =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
  return std::string(buffer, status == std::errc() ? end : buffer);
}

std::string verdict(const Measure& row) {
  if (!row.note.empty()) return row.note;
  return !row.target ? "–" : row.met() ? "met" : "not met";
}

}  // namespace

Stopwatch::Stopwatch() : wall_(std::chrono::steady_clock::now()), processor_(processor_milliseconds()) {}

double Stopwatch::wall() const {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - wall_).count();
}

double Stopwatch::processor() const {
  return processor_milliseconds() - processor_;
}

void Times::add(const Stopwatch& watch) {
  wall.push_back(watch.wall());
  processor.push_back(watch.processor());
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

Measure measure_of(const std::string& what, const Times& times, std::optional<double> target) {
  return {.what = what,
          .median = quantile(times.wall, 0.5),
          .high = quantile(times.wall, 0.95),
          .processor = quantile(times.processor, 0.95),
          .target = target};
}

void Calibration::sample() {
  constexpr int kSteps = 1'000'000;  // about a millisecond; each step needs the one before
  const Stopwatch watch;
  volatile double seed = 0.5;
  double x = seed;
  for (int i = 0; i < kSteps; ++i) x = 3.9 * x * (1 - x);
  seed = x;
  times_.add(watch);
}

Measure Calibration::row() const {
  return measure_of("calibration: a fixed loop between the samples", times_, std::nullopt);
}

double Calibration::slowdown() const {
  return times_.wall.empty() ? 1 : quantile(times_.wall, 0.95) / quantile(times_.wall, 0);
}

namespace {

void print_text(const std::vector<Measure>& rows, const Calibration& calibration, std::ostream& out) {
  std::vector<std::vector<std::string>> table{
      {"what", "unit", "median", "95 %", "processor, 95 %", "target", "met?"}};
  for (const Measure& row : rows)
    table.push_back({row.what, row.unit, digits(row.median), digits(row.high),
                     row.processor ? digits(*row.processor) : "–", row.target ? digits(*row.target) : "–",
                     verdict(row)});
  print_table(out, table, 2);
  constexpr double kQuiet = 1.2;
  if (calibration.slowdown() > kQuiet)
    out << "The fixed loop took up to " << digits(calibration.slowdown())
        << " times its shortest time: other programs use the processor, and these times are longer than they "
           "would be alone.\n";
}

void print_json(const std::vector<Measure>& rows, const Calibration& calibration, std::ostream& out) {
  Json list = Json::array();
  for (const Measure& row : rows)
    list.push_back({{"what", row.what},
                    {"unit", row.unit},
                    {"median", row.median},
                    {"p95", row.high},
                    {"processor_p95", row.processor ? Json(*row.processor) : Json()},
                    {"target", row.target ? Json(*row.target) : Json()},
                    {"met", row.target ? Json(row.met()) : Json()},
                    {"note", row.note}});
  out << Json{{"rows", list}, {"slowdown", calibration.slowdown()}}.dump(2, ' ', true,
                                                                         Json::error_handler_t::replace)
      << '\n';
}

// Rows of `bench frames` that are measured together, and can be alone.
struct Group {
  std::string name;
  std::function<std::vector<Measure>(const TimedDevice&, const Amount&, Calibration&)> rows;
};

std::vector<Measure> layers(const TimedDevice& device, const Amount& amount, Calibration& calibration) {
  std::vector<Measure> rows;
  const auto add_scrub = [&](Sizes sizes, std::optional<double> target) {
    rows.push_back(scrub(sizes, target, device, amount, calibration));
  };
  add_scrub({64, 64, 8}, 16.7);
  add_scrub({8, 64, 8}, 8);
  add_scrub({8, 8, 1}, 8);
  add_scrub({512, 64, 8}, std::nullopt);
  add_scrub({1024, 64, 8}, std::nullopt);
  rows.push_back(there_and_back({64, 64, 8}, device, amount, calibration));
  rows.push_back(rest({512, 64, 8}, amount, calibration));
  rows.push_back(rest({1024, 64, 8}, amount, calibration));
  return rows;
}

std::vector<Measure> plots(const TimedDevice&, const Amount& amount, Calibration& calibration) {
  return {maps(amount, calibration), curves(amount, calibration), scatter(amount, calibration)};
}

std::vector<Measure> start(const TimedDevice&, const Amount& amount, Calibration& calibration) {
  std::vector<Measure> rows = first_frames(amount, calibration);
  for (Measure& row : idle(amount)) rows.push_back(std::move(row));
  return rows;
}

// Packing an .npz, which no frame waits for.
std::vector<Measure> trace_files(const TimedDevice& device, const Amount& amount, Calibration& calibration) {
  return pack(amount.quick() ? Sizes{128, 64, 8} : Sizes{1024, 64, 8}, device, amount, calibration);
}

std::vector<Group> groups_of_frames() {
  std::vector<Group> all{{"layers", layers}, {"plots", plots}};
  for (const Workspace& workspace : workspaces())
    if (workspace.timed)
      all.push_back({std::string(workspace.name),
                     [&workspace](const TimedDevice& device, const Amount& amount, Calibration& calibration) {
                       return timed_rows(workspace, device, amount, calibration);
                     }});
  all.push_back({"start", start});
  return all;
}

bool has_own_bench(const Workspace& workspace) {
  return workspace.own_bench.edits || workspace.own_bench.work;
}

std::vector<Group> all_groups() {
  std::vector<Group> all = groups_of_frames();
  all.push_back({kTrace, trace_files});
  all.push_back({kLarge, large});
  for (const Workspace& workspace : workspaces())
    if (has_own_bench(workspace))
      all.push_back({std::string(workspace.name),
                     [&workspace](const TimedDevice& device, const Amount& amount, Calibration& calibration) {
                       return own_rows(workspace, device, amount, calibration);
                     }});
  all.push_back({kTraining, training});
  return all;
}

std::vector<Group> groups_of(const std::string& what) {
  if (what == kFrames) return groups_of_frames();
  std::vector<Group> all = all_groups();
  std::erase_if(all, [&](const Group& group) { return group.name != what; });
  if (!all.empty()) return all;
  const std::vector<std::string> names = bench_names();
  refuse("bench", what, listed(names), names);
}

void measure(const BenchRequest& request, Console& console) {
  const TimedDevice device{console.devices, request.device};
  const std::vector<Group> groups = groups_of(request.what);
  Calibration calibration;
  std::vector<Measure> rows;
  for (const Group& group : groups)
    for (Measure& row : group.rows(device, request.quick ? kQuick : Amount(), calibration))
      rows.push_back(std::move(row));
  rows.push_back(calibration.row());
  request.json ? print_json(rows, calibration, console.out) : print_text(rows, calibration, console.out);
}

}  // namespace
}  // namespace bench

std::vector<std::string> bench_names() {
  std::vector<std::string> names{bench::kFrames, bench::kAttention};
  for (const bench::Group& group : bench::all_groups())
    if (std::ranges::count(names, group.name) == 0) names.push_back(group.name);
  return names;
}

std::vector<std::string> frame_bench_names() {
  std::vector<std::string> names;
  for (const bench::Group& group : bench::groups_of_frames()) names.push_back(group.name);
  return names;
}

std::vector<std::string> own_bench_names() {
  std::vector<std::string> names;
  for (const Workspace& workspace : workspaces())
    if (bench::has_own_bench(workspace)) names.emplace_back(workspace.name);
  return names;
}

void run_bench(const BenchRequest& request, Console& console) {
  if (request.what == bench::kAttention) return bench::attention(request, console);
  if (!(request.n + request.heads + request.d + request.mechanism).empty())
    throw Error("--n, --heads, --d and --mechanism are of bench attention alone", Fault::option);
  if (request.what == "first-frame") return bench::first_frame_child(request.number, console);
  if (request.what == "idle") return bench::idle_child(std::chrono::milliseconds(request.number), console);
  bench::measure(request, console);
}

}  // namespace attn
