// The row of the table: what attention costs.
#include "app/workspaces/cost/row.h"

#include "app/workspaces/cost/view.h"
#include "core/cost/plan.h"
#include "core/measure/measured_layer.h"

namespace attn {
namespace {

std::vector<TimedEdit> timed_cost() {
  const auto drag = [](Document& d, View&, int i) { d.cost.n = 1024 + 64 * static_cast<std::size_t>(i); };
  const auto step = [](Document& d, View&, int i) {
    d.cost.d = d.cost.heads * (16 + static_cast<std::size_t>(i));
  };
  return {{"cost, the marker n dragged", 1000.0 / 60, measured_layer(5, 4, 1), drag},
          {"cost, the width d stepped", 33, measured_layer(5, 4, 1), step}};
}

}  // namespace

Workspace cost_workspace() {
  Workspace row{kCostPlan};
  row.title = "Cost";
  row.steps = cost_steps;
  row.controls = draw_cost_controls;
  row.draw = draw_cost;
  row.inspect = inspect_cost;
  row.commands = cost_commands;
  row.plays = "play the steps";
  row.fields = {named_part<&Document::cost>(), named_view<CostView>()};
  row.keys = "drag n   ↑ ↓ twice and half of it   M measure   S stop";
  row.place = {"N, a number of tokens, as in 4096", 1, look_at_tokens};
  row.command_line = add_cost;
  row.timed = timed_cost;
  return row;
}

}  // namespace attn
