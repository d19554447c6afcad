// The row of the table: all heads of a layer.
#include "app/workspaces/heads/row.h"

#include "app/canvas/steps.h"
#include "app/workspaces/heads/view.h"
#include "core/heads/plan.h"
#include "core/measure/measured_layer.h"

namespace attn {
namespace {

// Of the kinds that compare them, all of a layer's heads at once.
std::vector<TimedEdit> timed_heads() {
  const auto edit = [](Document& document, View&, int i) {
    Tensor& x = document.layer().x;
    x = with_value(x, {0, 8, 4}, static_cast<float>(i) / 40);
  };
  return {{"heads, 64 of 64×64, X edited", 33, measured_layer(64, 512, 64), edit}};
}

}  // namespace

Workspace heads_workspace() {
  Workspace row{kHeadsPlan};
  row.title = "Heads";
  row.steps = graph_steps;
  row.controls = draw_heads_controls;
  row.draw = draw_heads;
  row.inspect = inspect_heads;
  row.commands = heads_commands;
  row.fields = {named_part<&Document::heads>(), named_view<HeadsView>()};
  row.keys = "click: large   N next head   E entropy   S likeness   U use groups";
  row.place = {"HEAD,QUERY, counted from 0, as in 4,7", 2, look_at_head};
  row.timed = timed_heads;
  return row;
}

}  // namespace attn
