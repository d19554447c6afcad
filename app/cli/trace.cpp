// trace: every stage of a layer, printed or written to an .npz.
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/table.h"
#include "app/input.h"
#include "core/error.h"
#include "core/evaluator.h"
#include "core/io/file.h"
#include "core/io/layer_npz.h"
#include "core/opencl/devices.h"

namespace attn {
namespace {

// Why the layer cannot be built as the file has it; empty when it can.
std::string own_fault(const LayerSpec& layer) {
  try {
    build_graph(layer);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

// The graph of the file's layer with the options on top. When it cannot be built, the fault is the file's
// only if the file says the same without the options.
Graph graph_with_options(const TraceRequest& request, Document& document) {
  const LayerSpec as_given = document.layer;
  try {
    document.layer = changed(as_given, request.changes);
    return build_graph(document.layer);
  } catch (const Error& error) {
    if (own_fault(as_given) == error.what()) throw Error(request.input + ": " + error.what(), Fault::input);
    throw Error(error.what(), Fault::option);
  }
}

void print_stages(const Results& results, std::ostream& out) {
  for (StageIndex i = 0; i < results.graph.stages.size(); ++i)
    if (results.graph.stages[i].traced) print_stage(out, results.graph.stages[i], results.outputs[i]);
}

}  // namespace

void trace(const TraceRequest& request, std::ostream& out, std::ostream& err) {
  Document document = read_document(request.input);
  Graph graph = graph_with_options(request, document);

  Budget budget;
  std::vector<std::string> notes;
  const std::unique_ptr<Backend> backend = opencl::choose_backend(request.device, budget, notes);
  for (const std::string& note : notes) err << note << '\n';
  const Results results = Evaluator(*backend, budget).evaluate(document, std::move(graph));

  if (request.output.empty())
    print_stages(results, out);
  else
    write_file(request.output, stages_npz(results));
}

}  // namespace attn
