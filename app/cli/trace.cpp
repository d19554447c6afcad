// trace: every stage of a workspace, printed or written to an .npz as it is computed: what nothing reads any
// more is let go.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/layer_gradients.h"
#include "app/cli/trace_graph.h"
#include "app/program/input.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "app/words/watched_device.h"
#include "app/words/watched_run.h"
#include "app/workspaces/workspaces.h"
#include "core/evaluate/bands.h"
#include "core/evaluate/evaluator.h"
#include "core/evaluate/weigh.h"
#include "core/io/stages_npz.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/text.h"

namespace attn {
namespace {

// Of `graph`, the stages of these ids; all where none are named.
std::vector<bool> stages_of(const Graph& graph, const std::vector<std::string>& only) {
  std::vector<bool> wanted(only.empty() ? 0 : graph.stages.size());
  for (const std::string& id : only)
    if (const auto stage = graph.find(id)) wanted[*stage] = true;
  return wanted;
}

// Where the stages go as they are computed: a table of each, or an array.
class Output {
 public:
  Output(const Graph& graph, const std::string& path, std::vector<bool> wanted)
      : graph_(graph), wanted_(std::move(wanted)) {
    if (path.empty()) return;
    file_ = std::make_unique<FileWriter>(path);
    file_->check_room(stages_size(graph, wanted_));
    stages_ = std::make_unique<StagesWriter>(
        graph, [this](Bytes bytes) { file_->write(bytes); },
        RoomSink{.skip = [this](std::uint64_t bytes) { file_->skip(bytes); },
                 .write_at = [this](std::uint64_t at, Bytes bytes) { file_->write_at(at, bytes); }});
  }

  // Bytes of memory that it takes.
  std::uint64_t weight(const Graph& graph) const {
    return file_ && file_->in_memory() ? stages_size(graph, wanted_) : 0;
  }
  void add(StageIndex stage, const Tensor& output) {
    if (!wanted_.empty() && !wanted_[stage]) return;
    if (stages_)
      stages_->add(stage, output);
    else if (graph_.stages[stage].traced)
      print_stage(text_, graph_.stages[stage], output);
  }
  // Whether rows of a stage may come without ever being together: into a file.
  bool takes_bands() const { return stages_ != nullptr; }
  // Before the rows of the wanted stages come, each from the first to the last.
  void begin_rows() {
    if (stages_) stages_->leave_room(wanted_);
  }
  void add_rows(StageIndex stage, std::size_t first, const Tensor& rows) {
    if (stages_) return stages_->add_rows(stage, rows);
    const Shape& shape = graph_.stages[stage].shape;
    std::vector<float>& values = whole_[stage];
    values.resize(shape.size());
    put_rows(values, shape, first, rows);
  }
  void finish(Console& console) {
    for (auto& [stage, values] : whole_) add(stage, Tensor(graph_.stages[stage].shape, std::move(values)));
    console.out << text_.view();
    if (!stages_) return;
    stages_->finish();
    console.keep(std::move(file_));
  }

 private:
  const Graph& graph_;
  std::vector<bool> wanted_;  // empty: all
  std::ostringstream text_;
  std::unique_ptr<FileWriter> file_;
  std::unique_ptr<StagesWriter> stages_;
  std::map<StageIndex, std::vector<float>> whole_;  // of what comes by rows, to be printed
};

void check_memory(const Backend& backend, const Budget& budget, const Graph& graph,
                  const std::vector<bool>& needed, const Bands* bands, const Output& output) {
  const auto load_of = [&](const Graph& g) {
    Load load = weigh(g, needed, Retention::until_read, backend, budget, bands);
    load.file = output.weight(g);
    return load;
  };
  check_fits(load_of(graph), free_memory(), graph, load_of);
}

// What makes the wanted stages some rows at a time, so that nothing large is whole in memory; null: nothing
// does.
std::shared_ptr<const Bands> bands_to(const Graph& graph, const std::vector<bool>& needed,
                                      const std::vector<bool>& wanted, const Output& output,
                                      const Budget& budget) {
  if (wanted.empty()) return nullptr;
  const auto bands = bands_of(graph, needed, budget.most_kept());
  for (StageIndex i = 0; bands && !output.takes_bands() && i < wanted.size(); ++i)
    if (wanted[i] && bands->passing[i]) return nullptr;
  return bands;
}

void compute(Backend& backend, const Budget& budget, const Graph& graph, const std::vector<std::string>& only,
             Output& output, Console& console) {
  const std::vector<bool> needed = needed_stages(graph, only), wanted = stages_of(graph, only);
  const auto bands = bands_to(graph, needed, wanted, output, budget);
  check_memory(backend, budget, graph, needed, bands.get(), output);
  if (bands) {
    output.begin_rows();
    run_watched_by_bands(
        backend, graph, *bands, needed, wanted,
        [&](StageIndex i, std::size_t first, const Tensor& rows) { output.add_rows(i, first, rows); },
        console.err);
  } else {
    run_watched(
        backend, graph, needed, [&](StageIndex i, const Tensor& stage) { output.add(i, stage); },
        console.err);
  }
  output.finish(console);
}

void check_only(const Graph& graph, const std::vector<std::string>& only) {
  std::vector<std::string> words;
  std::string takes = "stages of this layer, separated by commas:";
  for (const Stage& stage : graph.stages)
    if (stage.traced) words.push_back(stage.id), takes += " " + stage.id;
  for (const std::string& id : only)
    if (std::ranges::find(words, id) == words.end()) refuse("--only", id, takes, words);
}

}  // namespace

void trace_stages(Backend& backend, const Budget& budget, const Graph& graph, const std::string& path,
                  Console& console, const std::vector<std::string>& only) {
  Output output(graph, path, stages_of(graph, only));
  compute(backend, budget, graph, only, output, console);
}

bool trace(const TraceRequest& request, Console& console) {
  check_output(request.output, {request.input});
  const Workspace& workspace = read_workspace(request.workspace);
  FileNotes read;
  const Document document = open_document_in(
      workspace, request.input, [&](Document& given) { request.change(given.layer()); }, &read);
  const std::vector<std::string> only =
      request.only.empty() ? std::vector<std::string>() : split(request.only, ',');
  auto [graph, flash, linear, gradients] = traced_graph(request, workspace, document, only);
  if (graph.stages.empty())
    throw Error("the workspace " + std::string(workspace.title) +
                    " computes no stages that could be traced: attention-lab cost prints its counts",
                Fault::option);
  check_only(graph, only);
  // In this process, which nobody watches: it may take long, and no device has a part in it.
  const GradientVerdict verdict =
      request.check ? check_gradients(graph, *gradients, console.err) : GradientVerdict();
  const WatchedDevice device(request.device, request.output, console);
  // Refused before the devices are tested, which may take long.
  Output output(graph, request.output, stages_of(graph, only));

  Budget budget;
  std::vector<std::string> notes;
  if (!read.left_out.empty()) notes.push_back(request.input + ": " + read.left_out);
  const std::unique_ptr<Backend> backend = device.open(budget, notes);
  if (flash) note_flash(*backend, *flash, notes);
  if (linear) note_linear(*linear, notes);
  print_lines(console.err, notes);
  compute(*backend, budget, graph, only, output, console);
  console.out << verdict.words;
  return verdict.accepted;
}

}  // namespace attn
