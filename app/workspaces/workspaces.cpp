// The rows of the table: one line a workspace.
#include "app/workspaces/workspaces.h"

#include <array>

#include "app/workspaces/layer_blocks.h"
#include "app/workspaces/layer_controls.h"
#include "app/workspaces/positions.h"
#include "app/workspaces/steps.h"
#include "core/attention/pipeline.h"
#include "core/positions/positions_graph.h"

namespace attn {
namespace {

constexpr std::array kWorkspaces{
    Workspace{kPipelinePlan, "Pipeline", graph_steps, draw_layer_controls, draw_layers, nullptr,
              layer_commands},
    Workspace{kPositionsPlan, "Positions", graph_steps, draw_positions_controls, draw_positions,
              inspect_positions, position_commands, play_positions, "turn the position",
              "drag the map   C compare", look_at_position}};

}  // namespace

std::span<const Workspace> workspaces() {
  return kWorkspaces;
}

void check_document(const Document& document) {
  for (const Workspace& workspace : workspaces()) workspace.build(document);
}

}  // namespace attn
