// What `trace` computes: the stages of a workspace, by which road, which rows, and the way back from a loss.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/stack_arrays.h"
#include "core/attention/layer_flash.h"
#include "core/attention/layer_linear.h"
#include "core/document/document.h"
#include "core/gradient/gradients.h"

namespace attn {

struct Workspace;

struct TracedGraph {
  Graph graph;
  std::optional<FlashRequest> flash = {};
  std::optional<LinearRequest> linear = {};
  std::optional<Gradients> gradients = {};
  std::vector<MadeArray> made = {};  // what a stack's are besides
};

// Throws Error(Fault::option) for what the request cannot have of this workspace, stages that are not there
// among `only` too.
TracedGraph traced_graph(const TraceRequest& request, const Workspace& workspace, const Document& document,
                         const std::vector<std::string>& only);

// By which tiles it goes, so that it can be done again to the last bit; those that the device lacks are
// refused.
void note_flash(const Backend& backend, const FlashRequest& request, std::vector<std::string>& notes);
void note_linear(const LinearRequest& request, std::vector<std::string>& notes);

}  // namespace attn
