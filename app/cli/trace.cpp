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
#include "core/document/stack_plan.h"
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

// What is to be computed, and what of it comes out.
struct Asked {
  std::vector<bool> needed, wanted;  // stages; none: all
  std::vector<MadeArray> made = {};
};

Asked asked_of(const Graph& graph, std::vector<MadeArray> made, const std::vector<std::string>& only) {
  if (only.empty()) return {{}, {}, std::move(made)};
  std::erase_if(made, [&](const MadeArray& array) { return std::ranges::count(only, array.name) == 0; });
  std::vector<std::string> ids;
  for (const std::string& id : only)
    if (graph.find(id)) ids.push_back(id);
  for (const MadeArray& array : made)
    for (const StageIndex stage : array.of) ids.push_back(graph.stages[stage].id);
  return {needed_stages(graph, ids), stages_of(graph, only), std::move(made)};
}

// Where the stages go as they are computed: a table of each, or an array.
class Output {
 public:
  Output(const Graph& graph, const std::string& path, Asked asked)
      : graph_(graph), asked_(std::move(asked)), made_(std::move(asked_.made)) {
    if (path.empty()) return;
    file_ = std::make_unique<FileWriter>(path);
    file_->check_room(size_of(graph));
    stages_ = std::make_unique<StagesWriter>(
        graph, [this](Bytes bytes) { file_->write(bytes); },
        RoomSink{.skip = [this](std::uint64_t bytes) { file_->skip(bytes); },
                 .write_at = [this](std::uint64_t at, Bytes bytes) { file_->write_at(at, bytes); }});
  }

  const std::vector<bool>& needed() const { return asked_.needed; }
  const std::vector<bool>& wanted() const { return asked_.wanted; }
  // Bytes of memory that it takes.
  std::uint64_t weight(const Graph& graph) const {
    return made_.weight() + (file_ && file_->in_memory() ? size_of(graph) : 0);
  }
  void add(StageIndex stage, const Tensor& output) {
    if (wanted().empty() || wanted()[stage]) {
      if (stages_)
        stages_->add(stage, output);
      else if (graph_.stages[stage].traced)
        print_stage(text_, graph_.stages[stage], output);
    }
    made_.take(stage, output, [&](const MadeArray& array, std::span<const float> numbers) {
      if (stages_)
        stages_->add(array.name, array.shape, numbers);
      else
        print_made(array, numbers);
    });
  }
  // Whether any stage may come by rows; and without ever being together: into a file.
  bool takes_rows() const { return !wanted().empty() && made_.empty(); }
  bool takes_bands() const { return stages_ != nullptr; }
  // Before the rows of the wanted stages come, each from the first to the last.
  void begin_rows() {
    if (stages_) stages_->leave_room(wanted());
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
  std::uint64_t size_of(const Graph& graph) const { return stages_size(graph, wanted()) + made_.file_size(); }
  void print_made(const MadeArray& array, std::span<const float> numbers) {
    const Shape shape{1, array.shape.size() > 1 ? array.shape.front() : 1, array.shape.back()};
    const Tensor tensor(shape, std::vector<float>(numbers.begin(), numbers.end()));
    print_stage(
        text_, {.id = array.name, .title = array.name, .formula = array.formula, .operation = Source{tensor}},
        tensor);
  }

  const Graph& graph_;
  Asked asked_;
  MadeArrays made_;
  std::ostringstream text_;
  std::unique_ptr<FileWriter> file_;
  std::unique_ptr<StagesWriter> stages_;
  std::map<StageIndex, std::vector<float>> whole_;  // of what comes by rows, to be printed
};

void check_memory(const Backend& backend, const Budget& budget, const Graph& graph, const Bands* bands,
                  const Output& output) {
  const auto load_of = [&](const Graph& g) {
    Load load = weigh(g, output.needed(), Retention::until_read, backend, budget, bands);
    load.file = output.weight(g);
    return load;
  };
  check_fits(load_of(graph), free_memory(), graph, load_of);
}

// What makes the wanted stages some rows at a time, so that nothing large is whole in memory; null: nothing
// does.
std::shared_ptr<const Bands> bands_to(const Graph& graph, const Output& output, const Budget& budget) {
  if (!output.takes_rows()) return nullptr;
  const auto bands = bands_of(graph, output.needed(), budget.most_kept());
  const std::vector<bool>& wanted = output.wanted();
  for (StageIndex i = 0; bands && !output.takes_bands() && i < wanted.size(); ++i)
    if (wanted[i] && bands->passing[i]) return nullptr;
  return bands;
}

void compute(Backend& backend, const Budget& budget, const Graph& graph, Output& output, Console& console) {
  const auto bands = bands_to(graph, output, budget);
  check_memory(backend, budget, graph, bands.get(), output);
  if (bands) {
    output.begin_rows();
    run_watched_by_bands(
        backend, graph, *bands, output.needed(), output.wanted(),
        [&](StageIndex i, std::size_t first, const Tensor& rows) { output.add_rows(i, first, rows); },
        console.err);
  } else {
    run_watched(
        backend, graph, output.needed(), [&](StageIndex i, const Tensor& stage) { output.add(i, stage); },
        console.err);
  }
  output.finish(console);
}

}  // namespace

void trace_stages(Backend& backend, const Budget& budget, const Graph& graph, const std::string& path,
                  Console& console, const std::vector<std::string>& only) {
  Output output(graph, path, asked_of(graph, {}, only));
  compute(backend, budget, graph, output, console);
}

bool trace(const TraceRequest& request, Console& console) {
  check_output(request.output, {request.input});
  const Workspace& workspace = read_workspace(request.workspace);
  FileNotes read;
  const Document document = open_document_in(workspace, request.input, request.change, &read);
  const std::vector<std::string> only =
      request.only.empty() ? std::vector<std::string>() : split(request.only, ',');
  TracedGraph traced = traced_graph(request, workspace, document, only);
  const Graph& graph = traced.graph;
  // In this process, which nobody watches: it may take long, and no device has a part in it.
  const GradientVerdict verdict =
      request.check ? check_gradients(graph, *traced.gradients, console.err) : GradientVerdict();
  const WatchedDevice device(request.device, request.output, console);
  // Refused before the devices are tested, which may take long.
  Output output(graph, request.output, asked_of(graph, std::move(traced.made), only));

  Budget budget;
  std::vector<std::string> notes;
  if (!read.left_out.empty()) notes.push_back(request.input + ": " + read.left_out);
  if (workspace.build == build_stack) notes.push_back(stack_words(shown_stack(document)));
  const std::unique_ptr<Backend> backend = device.open(budget, notes);
  if (traced.flash) note_flash(*backend, *traced.flash, notes);
  if (traced.linear) note_linear(*traced.linear, notes);
  print_lines(console.err, notes);
  compute(*backend, budget, graph, output, console);
  console.out << verdict.words;
  return verdict.accepted;
}

}  // namespace attn
