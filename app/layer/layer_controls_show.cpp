// What of the layer is shown.
#include "app/canvas/canvas.h"
#include "app/fields/field_states.h"
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

namespace {

struct Shown {
  Chip chip;
  void (*press)(Frame&);
};
std::vector<Shown> all_shown(Frame& frame) {
  const LayerView& view = frame.view.layer;
  const BeforeView& before = frame.view.before;
  std::vector<Shown> all;
  if (!frame.layer().direct)
    all.push_back({{.id = "show W",
                    .text = "W",
                    .tooltip = "the projections W_Q, W_K, W_V, W_O, their biases and the parameters of the "
                               "score, to be edited as well",
                    .on = view.show_parameters},
                   [](Frame& f) { f.view.layer.show_parameters = !f.view.layer.show_parameters; }});
  all.push_back(
      {{.id = "show softmax",
        .text = "steps open",
        .tooltip = "what stands between scores and weights, row maximum, exp, sum and division, and between "
                   "queries, keys and scores, as matrices of their own",
        .on = view.open_softmax},
       [](Frame& f) { f.view.layer.open_softmax = !f.view.layer.open_softmax; }});
  all.push_back({{.id = "show all",
                  .text = "all in sight",
                  .tooltip = "every stage small enough to be in sight, the weights largest; else rows of "
                             "larger matrices, and the canvas scrolls (Shift+F)",
                  .on = frame.canvas().all_in_sight},
                 [](Frame& f) { arrange_all(f.canvas(), !f.canvas().all_in_sight); }});
  all.push_back({{.id = "show before",
                  .text = before.results ? "snapshot" : "take snapshot",
                  .tooltip = "keeps the numbers as they are now: what changes from then on is outlined and "
                             "counted. B: show the snapshot · Shift+B: discard it",
                  .on = before.shown},
                 [](Frame& f) { f.commands.push_back("view.before"); }});
  return all;
}

}  // namespace

void draw_show_controls(Frame& frame, Column column) {
  const std::vector<Shown> all = all_shown(frame);
  std::vector<std::string> on;
  for (const Shown& each : all)
    if (each.chip.on) on.push_back(each.chip.text);
  if (!foldable_section(frame, column, {.title = "Show", .state = state_of_several(on)})) return;
  {
    ChipRow row(frame.theme, column.left, column.right);
    for (const Shown& each : all)
      if (row.add(each.chip)) each.press(frame);
  }
  draw_weight_range(frame, column);
}

}  // namespace attn
