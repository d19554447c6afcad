// The row of the table: the roads around n².
#include "app/workspaces/efficient/row.h"
#include "core/efficient/graph.h"
#include "core/measure/measured_layer.h"

namespace attn {
namespace {

// The Pipeline's layer of this size has a frame: each of the nine roads likewise.
std::vector<TimedEdit> timed_efficient() {
  const auto edit = [](Document& document, View&, int i) {
    Tensor& x = document.layer().x;
    x = with_value(x, {0, 8, 4}, static_cast<float>(i) / 40);
  };
  return {{"efficient, 64 tokens, 8 heads, X edited", 9 * 1000.0 / 60, measured_layer(64, 64, 8), edit}};
}

}  // namespace

Workspace efficient_workspace() {
  Workspace row{kEfficientPlan};
  row.title = "Efficient";
  row.steps = efficient_steps;
  row.controls = draw_efficient_controls;
  row.draw = draw_efficient;
  row.inspect = inspect_efficient;
  row.inspects_first = true;
  row.checks = check_efficient;
  row.lead_on = lead_on_efficient;
  row.commands = efficient_commands;
  row.play = play_tiles;
  row.plays = "play the tiles";
  row.fields = {named_part<&Document::efficient>(), named_view<EfficientView>()};
  row.keys = "← → tile · ↑ ↓ row   E error · P pattern · M measure";
  row.timed = timed_efficient;
  row.place = {"TILE_ROW,TILE_COLUMN, counted from 0, as in 5,4", 2, look_at_tile};
  return row;
}

}  // namespace attn
