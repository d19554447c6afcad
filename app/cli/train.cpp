// train: a small model learns a task; progress on the error stream, at the end how well it does.
#include "app/cli/train.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/words/table.h"
#include "app/words/watched_device.h"
#include "core/learning/not_finite.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kScoredEvery = 25, kMostScores = 200, kScoredBatches = 2, kLastBatches = 16;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct HistoryEntry {
  std::size_t step;
  TrainingScore score;
};

// A run from its first step to its last, or to its last good one where numbers go beyond all bounds.
struct Run {
  Trainer& trainer;
  Backend& backend;
  const TrainOrder& order;
  std::ostream& err;
  TrainingState good;  // the last that was looked at: all its numbers are finite
  std::vector<HistoryEntry> history = {};
  std::optional<std::size_t> reached = {};
  std::optional<NotFinite> stop = {};
  double seconds = 0;

  bool done() const { return stop || reached || trainer.step() >= order.steps; }

  // The step that shows such a number: by its loss, or by the parameters that it leaves.
  std::optional<std::size_t> step_of_fault(const TrainingState& now) const {
    const auto bad = std::ranges::find_if(trainer.losses(), [](double loss) { return !std::isfinite(loss); });
    if (bad != trainer.losses().end())
      return static_cast<std::size_t>(bad - trainer.losses().begin());  // all of the run's are there
    if (!all_finite(now)) return now.step;
    return std::nullopt;
  }

  // Goes back to the last good state where this one is none.
  void look_back() {
    TrainingState now = trainer.state();
    const auto shown = step_of_fault(now);
    if (!shown) {
      good = std::move(now);
      return;
    }
    trainer.go_on(good);
    NotFiniteSearch search(trainer, backend, *shown);
    while (!search.piece()) continue;
    stop = search.found();
    trainer.go_on(good);
    err << "stopped at step " << good.step << ": " << stop->words << std::endl;
  }

  void tell(Clock::time_point begin) const {
    const double taken = seconds_since(begin),
                 share = static_cast<double>(trainer.step()) / static_cast<double>(order.steps);
    err << "step " << trainer.step() << " of " << order.steps << ", loss " << brief(history.back().score.loss)
        << ", accuracy " << brief(history.back().score.accuracy) << ", "
        << brief(std::ceil(taken * (1 - share) / share)) << " s left" << std::endl;
  }

  void go() {
    const auto begin = Clock::now();
    const std::size_t every = std::max(kScoredEvery, order.steps / kMostScores);
    double told = 0;
    while (!done()) {
      const std::size_t next = std::min(order.steps, (trainer.step() / every + 1) * every);
      trainer.run(next - trainer.step());
      look_back();
      if (stop) break;
      history.push_back({trainer.step(), trainer.score(kScoredBatches)});
      if (order.until && history.back().score.accuracy >= *order.until) reached = trainer.step();
      if (const double now = seconds_since(begin); now - told >= 1) told = now, tell(begin);
    }
    seconds = seconds_since(begin);
  }
};

Json json_of(const Run& run, const std::string& task, const TrainingScore& last) {
  Json history = Json::array();
  for (const HistoryEntry& entry : run.history)
    history.push_back({{"step", entry.step}, {"loss", entry.score.loss}, {"accuracy", entry.score.accuracy}});
  Json stopped;
  if (run.stop) stopped = {{"step", run.stop->step}, {"stage", run.stop->stage}, {"words", run.stop->words}};
  Json bound;
  if (const auto found = bound_without_positions(run.order.spec.task, run.order.spec.model.decoder))
    bound = {{"loss", found->loss}, {"accuracy", found->accuracy}};
  return {{"task", task},
          {"parameters", count_numbers(run.trainer.parameters())},
          {"steps", run.trainer.step()},
          {"seconds", run.seconds},
          {"loss", last.loss},
          {"accuracy", last.accuracy},
          {"reached", run.reached ? Json(*run.reached) : Json()},
          {"stopped", std::move(stopped)},
          {"without_positions", bound},
          {"history", std::move(history)}};
}

void print_run(const Run& run, const std::string& task, const TrainingScore& last, std::ostream& out) {
  const TrainingTaskText& text = task_text(run.order.spec.task.kind);
  std::vector<std::vector<std::string>> table{
      {"task", task + ": " + std::string(text.learns)},
      {"scored",
       std::string(text.scored) +
           (reads_written(run.order.spec.model) ? ", where the right ones before it are given" : "")},
      {"parameters", std::to_string(count_numbers(run.trainer.parameters()))},
      {"steps", std::to_string(run.trainer.step()) + " in " + brief(run.seconds) + " s"},
      {"loss", brief(last.loss)},
      {"accuracy", brief(last.accuracy)}};
  if (run.stop) table.push_back({"stopped", run.stop->words});
  if (run.order.until)
    table.push_back({"reached", run.reached ? "accuracy " + brief(*run.order.until) + " at step " +
                                                  std::to_string(*run.reached)
                                            : "not accuracy " + brief(*run.order.until)});
  if (const auto bound = bound_without_positions(run.order.spec.task, run.order.spec.model.decoder))
    table.push_back({"without positions",
                     "loss " + brief(bound->loss) + " and accuracy " + brief(bound->accuracy) + " at best"});
  print_table(out, table, 2);
}

int train(const TrainRequest& request, Console& console) {
  const TrainOrder order = read_train_order(request);
  const WatchedDevice device(request.device, request.output, console);
  auto file = request.output.empty() ? nullptr : std::make_unique<FileWriter>(request.output);
  Budget budget;
  std::vector<std::string> notes;
  const std::unique_ptr<Backend> backend = device.open(budget, notes);
  print_lines(console.err, notes);
  Trainer trainer(*backend, order.spec);
  Run run{trainer, *backend, order, console.err, trainer.state()};
  FirstStep first;
  if (file) {
    first.before = run.good.parameters;
    trainer.run(1);
    first.gradients = trainer.gradients(), first.first = trainer.state().parameters,
    first.batch = trainer.batch();
  }
  run.go();
  const TrainingScore last = trainer.score(kLastBatches);
  if (request.json)
    console.out << json_of(run, request.task, last).dump(2, ' ', true, Json::error_handler_t::replace)
                << '\n';
  else
    print_run(run, request.task, last, console.out);
  if (file) {
    file->write(run_file(trainer, first, run.good.parameters));
    console.keep(std::move(file));
  }
  return run.stop ? kBadWords : kDone;
}

}  // namespace

void add_train(CommandParser& parser) {
  const auto request = std::make_shared<TrainRequest>();
  Options options = parser.add("train", "Train a small model on a task",
                               [request](Console& console) { return train(*request, console); });
  TrainRequest& words = *request;
  options.add("TASK", words.task, "", "copy, reverse, sort, recall, induction, dates, modular or own")
      .required()
      .add("--data", words.data, "FILE", "own: pairs of texts, one a line, separated by a tab or \" = \"")
      .add("--modulus", words.modulus, "P", "modular: a + b mod P (59)")
      .add("--train-share", words.train_share, "S", "modular, own: the share of all pairs that is trained on")
      .add("--steps", words.steps, "N", "at most so many steps")
      .add("--until", words.until, "ACCURACY", "end when new rows are answered this well, as in 0.99")
      .add("--seed", words.seed, "S", "of the first numbers and of what is drawn (7)")
      .add("--layers", words.layers, "L", "blocks of each side")
      .add("--heads", words.heads, "H", "heads of each attention (4)")
      .add("--width", words.width, "D", "features of a token (64)")
      .add("--inner", words.inner, "F", "inner width of the feed-forward network; 0: attention alone")
      .add("--batch", words.batch, "B", "rows of a step")
      .add("--length", words.length, "N", "symbols of a row")
      .add("--symbols", words.symbols, "V", "symbols that there are")
      .add("--position", words.position, "learned|sinusoidal|none|alibi|rope|relative|t5",
           "what tells where a symbol stands")
      .add("--decoder", words.decoder, "slots|written",
           "copy, dates, own: what a decoder reads, blank slots or the answers before")
      .add("--tied", words.tied, "logits by the embedding, without a head of their own")
      .add("--no-scale", words.no_scale, "scores without 1/√d_k")
      .add("--no-residual", words.no_residual, "every box takes the stream’s place, and adds nothing to it")
      .add("--optimizer", words.optimizer, "adam|adamw|sgd", "what makes a step of the gradients")
      .add("--rate", words.rate, "R", "length of a step")
      .add("--betas", words.betas, "A,B", "how much is kept of the gradients’ moments: 0.9,0.999")
      .add("--weight-decay", words.weight_decay, "W", "how fast parameters shrink")
      .add("--warm-up", words.warm_up, "N", "steps until the rate is whole")
      .add("--json", words.json, "as JSON")
      .add("-o,--output", words.output, "RUN.npz",
           "write the first batch, the parameters before, after the first step and at the end, and the first "
           "gradients");
  parser.add_device(options, words.device);
  options.end_with_statuses();
}

}  // namespace attn
