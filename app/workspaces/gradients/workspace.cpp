// The row of the table: what a loss tells every number.
#include "app/workspaces/gradients/row.h"
#include "core/gradients/graph.h"
#include "core/measure/measured_layer.h"

namespace attn {
namespace {

// As the Pipeline's of this size, which has a frame for it: all gradients besides take one more.
std::vector<TimedEdit> timed_gradients() {
  const auto edit = [](Document& document, View&, int i) {
    Tensor& x = document.layer().x;
    x = with_value(x, {0, 8, 4}, static_cast<float>(i) / 40);
  };
  return {{"gradients, 64 tokens, 8 heads, X edited", 2 * 1000.0 / 60, measured_layer(64, 64, 8), edit}};
}

}  // namespace

Workspace gradients_workspace() {
  Workspace row{kGradientsPlan};
  row.title = "Gradients";
  row.steps = gradient_steps;
  row.controls = draw_gradients_controls;
  row.draw = draw_gradients;
  row.inspect = inspect_gradients;
  row.inspects_first = true;
  row.open = open_gradient;
  row.checks = check_gradients;
  row.lead_on = lead_on_gradients;
  row.commands = gradients_commands;
  row.play = play_descent;
  row.plays = "play the descent";
  row.can_play = asks_for_descent;
  row.fields = {named_part<&Document::gradients>(), named_view<GradientsView>()};
  row.keys = "C check all   D descend   W projections   O one-hot of the pinned output";
  row.timed = timed_gradients;
  return row;
}

}  // namespace attn
