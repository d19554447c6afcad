// What `trace` computes: the stages of a workspace, by which road, which rows, and the way back from a loss.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/attention/layer_flash.h"
#include "core/document/document.h"
#include "core/gradient/gradients.h"

namespace attn {

struct Workspace;

// Stages appended to a graph.
struct WayBackStages {
  StageIndex loss = 0;
  Gradients gradients;
};

struct TracedGraph {
  Graph graph;
  std::optional<FlashRequest> flash = {};
  std::optional<WayBackStages> way_back = {};
};

// Throws Error(Fault::option) for what the request cannot have of this workspace.
TracedGraph traced_graph(const TraceRequest& request, const Workspace& workspace, const Document& document,
                         const std::vector<std::string>& only);

// By which tiles it goes, so that it can be done again to the last bit; those that the device lacks are
// refused.
void note_flash(const Backend& backend, const FlashRequest& request, std::vector<std::string>& notes);

// Every input number against central differences in double: prints how many, the worst and where. Whether all
// are within what is accepted.
bool check_gradients(const Graph& graph, const WayBackStages& way_back, Console& console);

}  // namespace attn
