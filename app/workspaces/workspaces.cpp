// The rows of the table: one line a workspace.
#include "app/workspaces/workspaces.h"

#include <array>

#include "app/workspaces/compare.h"
#include "app/workspaces/layer_blocks.h"
#include "app/workspaces/layer_controls.h"
#include "app/workspaces/layer_inspect.h"
#include "app/workspaces/rows.h"
#include "app/workspaces/steps.h"
#include "core/attention/probes.h"
#include "core/compare/compare_graph.h"
#include "core/cost/cost_plan.h"
#include "core/heads/heads_plan.h"
#include "core/kernels/kernels_graph.h"
#include "core/positions/positions_graph.h"
#include "core/softmax/softmax_graph.h"

namespace attn {
namespace {

constexpr std::array kWorkspaces{
    Workspace{kProbedPipeline, "Pipeline", graph_steps, draw_layer_controls, draw_layers, inspect_layer,
              layer_commands, nullptr, "play the stages", "F fit   Shift+F all in sight   Z fill"},
    Workspace{kHeadsPlan, "Heads", graph_steps, draw_heads_controls, draw_heads, inspect_heads,
              heads_commands, nullptr, "play the stages",
              "click: large   N next head   E entropy   S likeness   U use groups", look_at_head, nullptr,
              "HEAD,QUERY, counted from 0, as in 4,7", 2},
    Workspace{kComparePlan,
              "Compare",
              graph_steps,
              draw_compare_controls,
              draw_compare,
              inspect_compare,
              compare_commands,
              nullptr,
              "play the stages",
              "X swap   K copy A   O open   N another   L layer   M colours",
              nullptr,
              nullptr,
              {},
              0,
              take_layer_beside,
              open_in_both},
    Workspace{kPositionsPlan, "Positions", graph_steps, draw_positions_controls, draw_positions,
              inspect_positions, position_commands, play_positions, "turn the position",
              "drag the map   C compare", look_at_position, nullptr, "ROW,COLUMN, counted from 0, as in 17,6",
              2},
    Workspace{kKernelsPlan, "Kernels", graph_steps, draw_kernels_controls, draw_kernels, inspect_kernels,
              kernel_commands, play_kernels, "move the query",
              "drag a point   click adds one   Del removes it   wheel: width", look_at_query,
              take_kernel_points, "Q, a place along x, as in 2.4", 1},
    Workspace{kSoftmaxPlan, "Softmax", graph_steps, draw_softmax_controls, draw_softmax, inspect_softmax,
              softmax_commands, play_softmax, "sweep the temperature",
              "drag a bar   wheel: temperature   R row of the layer   V variance", look_at_layer_row, nullptr,
              "HEAD,QUERY of the layer, counted from 0, as in 0,1", 2},
    Workspace{kCostPlan, "Cost", cost_steps, draw_cost_controls, draw_cost, inspect_cost, cost_commands,
              nullptr, "play the steps", "drag n   ↑ ↓ twice and half of it   M measure   S stop",
              look_at_tokens, nullptr, "N, a number of tokens, as in 4096", 1}};

}  // namespace

std::span<const Workspace> workspaces() {
  return kWorkspaces;
}

void check_document(const Document& document) {
  for (const Workspace& workspace : workspaces()) workspace.build(document, kLayerA);
}

}  // namespace attn
