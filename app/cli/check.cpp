// check: another program's numbers against the layer that they should be of, and the mistakes that make the
// difference.
#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "app/cli/check_report.h"
#include "app/cli/commands.h"
#include "app/program/input.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "app/words/watched_device.h"
#include "app/words/watched_run.h"
#include "core/diagnosis/stage_meaning.h"
#include "core/evaluate/evaluator.h"
#include "core/evaluate/weigh.h"
#include "core/system/error.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

double read_tolerance(const char* option, const std::string& word, double otherwise) {
  if (word.empty()) return otherwise;
  const auto number = parse_number<double>(word);
  if (!number || !(*number >= 0) || *number > 1e30) refuse(option, word, "a number from 0 on");
  return *number;
}

DumpRequest dump_request(const CheckRequest& request) {
  DumpRequest dump{.change = request.change};
  if (!request.names.empty()) dump.names = split(request.names, ',');
  if (request.batch.empty()) return dump;
  const auto batch = parse_number<std::size_t>(request.batch);
  if (!batch) refuse("--batch", request.batch, "a number from 0 on");
  dump.batch = *batch;
  return dump;
}

// What a session holds of a check.
Dump dump_of(Document document, const CheckRequest& request) {
  Dump dump{.layer = std::move(document.layer()), .stages = given_stages(document.check)};
  if (request.change) request.change(dump.layer);
  return dump;
}

Dump read_given(const CheckRequest& request) {
  auto arrays = read_arrays(request.input, {}, dump_request(request));
  if (!arrays) {
    Dump dump = dump_of(read_document(request.input), request);
    if (dump.stages.empty()) throw Error(request.input + ": it holds no numbers to check: open a dump first");
    return dump;
  }
  try {
    Dump dump = read_dump(std::move(*arrays), dump_request(request));
    if (!dump.stages.empty()) return dump;
    const std::string unchecked = unchecked_words(dump);
    throw Error("it holds no stage to check: give weights, output or scores beside the inputs" +
                (unchecked.empty() ? "" : " (" + unchecked + ")"));
  } catch (const Error& error) {
    if (error.fault() != Fault::input) throw;
    throw Error(request.input + ": " + error.what());
  }
}

// Ours of each stage that is given, with what a device computes held against the reference.
std::vector<Tensor> compute_ours(Backend& backend, const Budget& budget, const Dump& dump,
                                 std::ostream& err) {
  const Graph graph = build_graph(dump.layer);
  std::vector<std::string> ids;
  std::vector<std::optional<StageIndex>> places;
  for (const GivenStage& stage : dump.stages) {
    const std::vector<StageIndex> meant = stages_meant(graph, stage.id);
    places.push_back(meant.empty() ? std::nullopt : std::optional(meant.front()));
    if (places.back()) ids.push_back(graph.stages[*places.back()].id);
  }
  std::vector<Tensor> ours(dump.stages.size());
  if (ids.empty()) return ours;
  const std::vector<bool> needed = needed_stages(graph, ids);
  const auto load_of = [&](const Graph& g) {
    return weigh(g, needed, Retention::until_read, backend, budget, nullptr);
  };
  check_fits(load_of(graph), free_memory(), graph, load_of);
  run_watched(
      backend, graph, needed,
      [&](StageIndex i, const Tensor& tensor) {
        for (std::size_t s = 0; s < places.size(); ++s)
          if (places[s] == i) ours[s] = tensor;
      },
      err);
  return ours;
}

// Says from time to time how far it is.
Diagnosis diagnose(DiagnosisRequest request, Backend& backend, std::ostream& err) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kEvery{5};
  Diagnoser diagnoser(std::move(request));
  for (auto told = Clock::now(); !diagnoser.step(backend);)
    if (Clock::now() - told > kEvery) {
      told = Clock::now();
      const Diagnosis& found = diagnoser.found();
      err << found.tried << " of " << found.to_try << " sets of mistakes are tried\n" << std::flush;
    }
  return diagnoser.found();
}

std::vector<Fact> facts_in(const CheckReport& report) {
  GivenNumbers numbers;
  for (std::size_t s = 0; s < report.ours.size(); ++s) {
    const GivenStage& yours = report.dump.stages[s];
    if (report.ours[s].shape() != yours.numbers.shape()) continue;
    numbers.yours.push_back(yours), numbers.ours.push_back({yours.id, report.ours[s]});
  }
  return facts_of(numbers, report.dump.layer);
}

}  // namespace

bool check(const CheckRequest& request, Console& console) {
  if (request.alone && request.three)
    throw Error("--alone tries one mistake at a time, --three up to three: give one of both", Fault::option);
  const Tolerance usual;
  CheckReport report{.input = request.input, .dump = {}, .diagnosis = {}};
  report.tolerance = {read_tolerance("--absolute", request.absolute, usual.absolute),
                      read_tolerance("--relative", request.relative, usual.relative)};
  report.dump = read_given(request);
  Budget budget;
  std::vector<std::string> notes;
  const WatchedDevice device(request.device, "", console);
  const std::unique_ptr<Backend> backend = device.open(budget, notes);
  print_lines(console.err, notes);
  report.ours = compute_ours(*backend, budget, report.dump, console.err);
  report.diagnosis = diagnose({.ours = report.dump.layer,
                               .yours = report.dump.stages,
                               .tolerance = report.tolerance,
                               .pairs = !request.alone,
                               .three = request.three},
                              *backend, console.err);
  report.facts = facts_in(report);
  request.json ? print_check_json(console.out, report) : print_check(console.out, report);
  return report.diagnosis.equal();
}

}  // namespace attn
