// The row of the table: a stack of layers.
#include "app/workspaces/stack/row.h"
#include "core/document/stack_plan.h"

namespace attn {

Workspace stack_workspace() {
  Workspace row{kStackPlan};
  row.title = "Stack";
  row.steps = stack_steps;
  row.controls = draw_stack_controls;
  row.draw = draw_stack;
  row.inspect = inspect_stack;
  row.open = open_stack_number;
  row.inspects_first = true;
  row.lead_on = lead_on_stack;
  row.checks = check_stack;
  row.let_go = let_go_of_box;
  row.commands = stack_commands;
  row.fields = {named_view<StackView>()};
  row.place = {"LAYER,HEAD,ROW, counted from 0, as in 1,3,4", 3, look_at_stack};
  row.own_bench = {timed_stack_edits, timed_stack_work};
  row.keys = "↑ ↓ layer   ← → step   N residual   R rows   L next box   B off, on   P open its number";
  return row;
}

}  // namespace attn
