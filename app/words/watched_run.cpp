// Runs a graph while its results are compared: a device that passed its self-test may still be wrong, by the
// size of the layer, or by heat.
#include "app/words/watched_run.h"

#include <algorithm>
#include <optional>
#include <string>

#include "app/words/table.h"
#include "core/checks/overflow.h"
#include "core/evaluate/bands.h"
#include "core/evaluate/evaluator.h"
#include "core/evaluate/run.h"
#include "core/graph/cut_rows.h"
#include "core/opencl/watch.h"

namespace attn {
namespace {

using Done = std::function<void(StageIndex, const Tensor&)>;

class WatchedRun {
 public:
  WatchedRun(Backend& backend, const Graph& graph)
      : backend_(backend), device_(backend.name()), watch_(graph) {}

  void run(const Graph& graph, const std::vector<bool>& needed, const Done& done) {
    run(graph, needed, done, 0);
  }
  // These rows of what is run some at a time, `rows` in all.
  void run_rows(const Graph& graph, const RowRange& range, std::size_t rows, const std::vector<bool>& needed,
                const Done& done) {
    watch_.go_on_with(graph, static_cast<double>(range.count) / static_cast<double>(rows),
                      " from row " + std::to_string(range.first) + " on");
    run(graph, needed, done, range.first);
  }

  void tell(std::ostream& err) const {
    std::vector<std::string> notes;
    if (!overflow_.empty()) notes.push_back(overflow_ + ", the first: it becomes ∞");
    if (watched_) notes.push_back(watch_.summary());
    if (!backend_.failure().empty()) notes.push_back(backend_.failure());
    print_lines(err, notes);
  }

 private:
  void run(const Graph& graph, const std::vector<bool>& needed, const Done& done, std::size_t first_row) {
    const auto check = [&](StageIndex stage, Inputs inputs, const Tensor& result) {
      if (overflow_.empty())
        if (auto found = first_overflow(graph, stage, inputs, result)) {
          if (has_query_rows(graph.stages[stage])) found->cell.row += first_row;
          overflow_ = words_of(graph, *found);
        }
      if (backend_.name() == kReference) return;  // the reference itself, or in a device's place
      watch_.look(device_, stage, inputs, result);
      watched_ = true;
    };
    run_stages(backend_, graph, {.needed = needed, .check = check, .done = done});
  }

  Backend& backend_;
  std::string device_, overflow_ = {};
  opencl::Watch watch_;
  bool watched_ = false;
};

std::vector<bool> read_by_bands(const Graph& graph, const Bands& bands) {
  std::vector<bool> read(graph.stages.size());
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (bands.has(i))
      for (const StageIndex input : graph.stages[i].inputs) read[input] = true;
  return read;
}

}  // namespace

void run_watched(Backend& backend, const Graph& graph, const std::vector<bool>& needed, const Done& done,
                 std::ostream& err) {
  WatchedRun run(backend, graph);
  run.run(graph, needed, done);
  run.tell(err);
}

void run_watched_by_bands(Backend& backend, const Graph& graph, const Bands& bands,
                          const std::vector<bool>& needed, const std::vector<bool>& wanted,
                          const RowsDone& done, std::ostream& err) {
  const std::size_t count = graph.stages.size(), rows = query_rows(graph);
  WatchedRun run(backend, graph);
  std::vector<bool> at_once = needed;
  const std::vector<bool> read = read_by_bands(graph, bands);
  std::vector<StageResult> outputs(count);
  std::vector<std::string> ids;  // wanted of the bands
  for (StageIndex i = 0; i < count; ++i) {
    if (!bands.has(i)) continue;
    at_once[i] = false;
    if (wanted[i]) ids.push_back(graph.stages[i].id);
  }
  run.run(graph, at_once, [&](StageIndex i, const Tensor& tensor) {
    if (read[i]) outputs[i] = tensor;
    if (wanted[i]) done(i, 0, tensor);
  });
  for (RowRange range{0, 0}; !ids.empty() && range.first < rows; range.first += range.count) {
    range.count = std::min(bands.rows, rows - range.first);
    const Graph band = graph_of_rows(graph, bands, outputs, range);
    run.run_rows(band, range, rows, needed_stages(band, ids), [&](StageIndex part, const Tensor& tensor) {
      const auto i = graph.find(band.stages[part].id);
      if (i && bands.has(*i) && wanted[*i]) done(*i, range.first, tensor);
    });
  }
  run.tell(err);
}

}  // namespace attn
