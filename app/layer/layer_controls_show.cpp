// What of the layer is shown.
#include "app/canvas/canvas.h"
#include "app/frame/visible_stages.h"
#include "app/layer/layer_controls.h"
#include "app/widgets/chips.h"

namespace attn {

void draw_weight_range(Frame& frame, Column column) {
  const std::vector<std::string> names{"0…1", "own largest", "shared"};
  const std::vector<std::string> says{"colours from 0 to 1, in every map",
                                      "the colours of each map reach to its own largest weight",
                                      "the colours of all maps reach to the largest weight of the layer"};
  const FieldRow row{"weight range", "colours", "what the colours of the maps of weights reach to"};
  WeightRange& range = frame.view.settings.weight_range;
  if (const auto choice = choice_row(frame, column, row, names, static_cast<std::size_t>(range), says))
    range = static_cast<WeightRange>(*choice);
}

void draw_show_controls(Frame& frame, Column column) {
  if (!foldable_section(frame, column, {.title = "Show"})) return;
  {
    ChipRow row(frame.theme, column.left, column.right);
    LayerView& view = frame.view.layer;
    if (!frame.layer().direct &&
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
    if (row.add({.id = "show all",
                 .text = "all in sight",
                 .tooltip =
                     "every stage small enough to be in sight, the weights largest; else rows of larger "
                     "matrices, and the canvas scrolls (Shift+F)",
                 .on = frame.canvas().all_in_sight}))
      arrange_all(frame.canvas(), !frame.canvas().all_in_sight);
    const BeforeView& before = frame.view.before;
    if (row.add({.id = "show before",
                 .text = before.results ? "snapshot" : "take snapshot",
                 .tooltip =
                     "keeps the numbers as they are now: what changes from then on is outlined and counted. "
                     "B: show the snapshot · Shift+B: discard it",
                 .on = before.shown}))
      frame.commands.push_back("view.before");
  }
  draw_weight_range(frame, column);
}

}  // namespace attn
