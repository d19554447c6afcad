// What of the layer is shown, and the built-in examples.
#include <algorithm>

#include "app/widgets/chips.h"
#include "app/workspaces/layer_controls.h"

namespace attn {

void draw_show_controls(Frame& frame, Column column) {
  section(frame, column, "Show");
  {
    ChipRow row(frame.theme, column.left, column.right);
    LayerView& view = frame.view.layer;
    if (!frame.draft.layer.direct &&
        row.add({.id = "show W",
                 .text = "W",
                 .tooltip = "the projections W_Q, W_K, W_V, W_O, their biases and the parameters of the "
                            "score, to be edited as well",
                 .on = view.show_parameters}))
      view.show_parameters = !view.show_parameters;
    if (row.add(
            {.id = "show softmax",
             .text = "steps open",
             .tooltip =
                 "what stands between scores and weights, row maximum, exp, sum and division, and between "
                 "queries, keys and scores, as matrices of their own",
             .on = view.open_softmax}))
      view.open_softmax = !view.open_softmax;
  }
  section(frame, column, "Example");
  std::vector<std::string> commands, names;
  for (const Command& command : frame.table)
    if (command.name.starts_with("example.")) {
      commands.push_back(command.name);
      names.push_back(command.title);
      std::ranges::replace(names.back(), '-', ' ');
    }
  const FieldRow row{"example", "", "open a built-in example; Ctrl+Z goes back"};
  const auto choice = choice_row(frame, column, row, names, names.size());
  if (choice) frame.commands.push_back(commands[*choice]);
}

}  // namespace attn
