// The row of the table: the workspace of one layer, stage by stage.
#include "app/frame/workspace.h"
#include "app/canvas/steps.h"
#include "app/layer/layer_blocks.h"
#include "app/workspaces/pipeline/inspect.h"
#include "app/workspaces/pipeline/row.h"
#include "core/pipeline/probes.h"

namespace attn {

Workspace pipeline_workspace() {
  Workspace row{kProbedPipeline};
  row.title = "Pipeline";
  row.steps = graph_steps;
  row.controls = draw_pipeline_controls;
  row.draw = draw_layers;
  row.inspect = inspect_layer;
  row.commands = pipeline_commands;
  row.keys = "drag to change   F fit   Shift+F all in sight   Z fill";
  return row;
}

}  // namespace attn
