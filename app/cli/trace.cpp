// trace: every stage of a workspace, printed or written to an .npz as it is computed: what nothing reads any
// more is let go.
#include <memory>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/table.h"
#include "app/input.h"
#include "app/workspaces/workspaces.h"
#include "core/io/file.h"
#include "core/io/stages_npz.h"
#include "core/opencl/devices.h"
#include "core/run.h"

namespace attn {
namespace {

// Where the stages go as they are computed: a table of each, or an array.
class Output {
 public:
  Output(const Graph& graph, const std::string& path, std::ostream& out) : graph_(graph), out_(out) {
    if (path.empty()) return;
    file_ = std::make_unique<FileWriter>(path);
    stages_ = std::make_unique<StagesWriter>(graph, [this](Bytes bytes) { file_->write(bytes); });
  }

  void add(StageIndex stage, const Tensor& output) {
    if (stages_)
      stages_->add(stage, output);
    else if (graph_.stages[stage].traced)
      print_stage(out_, graph_.stages[stage], output);
  }
  void finish() {
    if (!stages_) return;
    stages_->finish();
    file_->commit();
  }

 private:
  const Graph& graph_;
  std::ostream& out_;
  std::unique_ptr<FileWriter> file_;
  std::unique_ptr<StagesWriter> stages_;
};

}  // namespace

void trace_stages(Backend& backend, const Graph& graph, const std::string& path, std::ostream& out) {
  Output output(graph, path, out);
  run_stages(backend, graph, {.done = [&](StageIndex i, const Tensor& stage) { output.add(i, stage); }});
  output.finish();
}

void trace(const TraceRequest& request, std::ostream& out, std::ostream& err) {
  const Workspace& workspace = read_workspace(request.workspace);
  const Document document =
      open_document(request.input, [&](Document& given) { request.change(given.layer); });
  const Graph graph = workspace.build(document);

  Budget budget;
  std::vector<std::string> notes;
  const std::unique_ptr<Backend> backend = opencl::choose_backend(request.device, budget, notes);
  for (const std::string& note : notes) err << note << '\n';
  trace_stages(*backend, graph, request.output, out);
}

}  // namespace attn
