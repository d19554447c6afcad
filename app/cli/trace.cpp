// trace: every stage of a workspace, printed or written to an .npz as it is computed: what nothing reads any
// more is let go.
#include <memory>
#include <sstream>
#include <vector>

#include "app/cli/commands.h"
#include "app/program/input.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "app/words/watched_device.h"
#include "app/words/watched_run.h"
#include "app/workspaces/workspaces.h"
#include "core/evaluate/weigh.h"
#include "core/io/stages_npz.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

// Where the stages go as they are computed: a table of each, or an array.
class Output {
 public:
  Output(const Graph& graph, const std::string& path) : graph_(graph) {
    if (path.empty()) return;
    file_ = std::make_unique<FileWriter>(path);
    file_->check_room(stages_size(graph));
    stages_ = std::make_unique<StagesWriter>(graph, [this](Bytes bytes) { file_->write(bytes); });
  }

  // Bytes of memory that it takes.
  std::uint64_t weight(const Graph& graph) const {
    return file_ && file_->in_memory() ? stages_size(graph) : 0;
  }
  void add(StageIndex stage, const Tensor& output) {
    if (stages_)
      stages_->add(stage, output);
    else if (graph_.stages[stage].traced)
      print_stage(text_, graph_.stages[stage], output);
  }
  void finish(Console& console) {
    console.out << text_.view();
    if (!stages_) return;
    stages_->finish();
    console.keep(std::move(file_));
  }

 private:
  const Graph& graph_;
  std::ostringstream text_;
  std::unique_ptr<FileWriter> file_;
  std::unique_ptr<StagesWriter> stages_;
};

void check_memory(const Backend& backend, const Budget& budget, const Graph& graph, const Output& output) {
  const auto load_of = [&](const Graph& g) {
    Load load = weigh(g, {}, Retention::until_read, backend, budget);
    load.file = output.weight(g);
    return load;
  };
  check_fits(load_of(graph), free_memory(), graph, load_of);
}

void compute(Backend& backend, const Budget& budget, const Graph& graph, Output& output, Console& console) {
  check_memory(backend, budget, graph, output);
  run_watched(
      backend, graph, [&](StageIndex i, const Tensor& stage) { output.add(i, stage); }, console.err);
  output.finish(console);
}

}  // namespace

void trace_stages(Backend& backend, const Budget& budget, const Graph& graph, const std::string& path,
                  Console& console) {
  Output output(graph, path);
  compute(backend, budget, graph, output, console);
}

void trace(const TraceRequest& request, Console& console) {
  check_output(request.output, {request.input});
  const Workspace& workspace = read_workspace(request.workspace);
  FileNotes read;
  const Document document = open_document_in(
      workspace, request.input, [&](Document& given) { request.change(given.layer()); }, &read);
  const Graph graph = workspace.build(document, kLayerA).graph;
  if (graph.stages.empty())
    throw Error("the workspace " + std::string(workspace.title) +
                    " computes no stages that could be traced: attention-lab cost prints its counts",
                Fault::option);
  const WatchedDevice device(request.device, request.output, console);
  Output output(graph, request.output);  // refused before the devices are tested, which may take long

  Budget budget;
  std::vector<std::string> notes;
  if (!read.left_out.empty()) notes.push_back(request.input + ": " + read.left_out);
  const std::unique_ptr<Backend> backend = device.open(budget, notes);
  print_lines(console.err, notes);
  compute(*backend, budget, graph, output, console);
}

}  // namespace attn
