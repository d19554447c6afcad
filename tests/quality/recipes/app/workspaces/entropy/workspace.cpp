// The row of the table: entropy over temperature.
#include "app/workspaces/entropy/row.h"

#include "app/canvas/steps.h"
#include "app/workspaces/entropy/view.h"
#include "core/entropy/graph.h"

namespace attn {

Workspace entropy_workspace() {
  Workspace row{kEntropyPlan};
  row.title = "Entropy";
  row.steps = graph_steps;
  row.controls = draw_entropy_controls;
  row.draw = draw_entropy;
  row.commands = entropy_commands;
  row.fields = {named_part<&Document::entropy>(), named_view<EntropyView>()};
  row.keys = "click: strong   N next head";
  return row;
}

}  // namespace attn
