// The controls of the Pipeline: the layer's, mistakes to be made on purpose, and one's own numbers.
#include "app/layer/layer_controls.h"
#include "app/widgets/chips.h"
#include "app/workspaces/pipeline/row.h"
#include "core/attention/layer_fields.h"
#include "core/edits/layer_changes.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::size_t kTypedTokens = 3, kTypedWidth = 4;

std::string command_of(const LayerChange& change) {
  return "layer.break." + std::string(change.word);
}

void break_chips(Frame& frame, Column column) {
  section(frame, column, "Break it on purpose", "Break");
  const LayerSpec& layer = frame.layer();
  {
    ChipRow row(frame.theme, column.left, column.right);
    for (const LayerChange& change : mistakes()) {
      const std::string obstacle = change.obstacle(layer);
      const bool can = obstacle.empty();
      const std::string says(change.sentence);
      if (row.add({.id = command_of(change),
                   .text = std::string(change.title),
                   .tooltip = can ? says : says + "\nnot here: " + obstacle,
                   .on = can && change.is_made(layer),
                   .faint = !can}) &&
          can)
        frame.commands.push_back(command_of(change));
    }
  }
  hint(frame, column, "One click breaks it; Ctrl+Z undoes.");
}

void own_chips(Frame& frame, Column column) {
  section(frame, column, "Your own numbers", "");
  ChipRow row(frame.theme, column.left, column.right);
  const auto add = [&](const char* text, const char* command, const char* tooltip) {
    if (row.add({.id = command, .text = text, .tooltip = tooltip})) frame.commands.emplace_back(command);
  };
  add("type", "layer.own", "Q, K and V of 3 tokens and 4 features, all 0, to be typed over");
  add("paste", "edit.paste", "a block of numbers from the clipboard decides the size");
  add("open…", "file.open", "a session, an .npz or .npy archive, a picture");
}

// Zeros in place of the layer, to be typed over.
LayerSpec empty_layer() {
  LayerSpec layer;
  layer.direct = true;
  const Shape shape{1, kTypedTokens, kTypedWidth};
  layer.q = layer.k = layer.v = Tensor(shape, std::vector<float>(shape.size()));
  return layer;
}

}  // namespace

void draw_pipeline_controls(Frame& frame, Column column) {
  draw_layer_controls(frame, column);
  break_chips(frame, column);
  own_chips(frame, column);
}

void pipeline_commands(std::vector<Command>& table, const Desk& now) {
  layer_commands(table, now);
  const LayerSpec& layer = now.draft.layer();
  for (const LayerChange& change : mistakes()) {
    const bool can = change.obstacle(layer).empty(), made = can && change.is_made(layer);
    table.push_back({.name = command_of(change),
                     .title = "Break it: " + std::string(change.title),
                     .menu = "Edit/Break it on purpose",
                     .run =
                         [change, made](Desk& desk) {
                           made ? change.take_back({desk.draft, kLayerA}, LayerSpec{})
                                : change.make({desk.draft, kLayerA});
                         },
                     .enabled = can,
                     .checked = made,
                     .says = std::string(change.sentence)});
  }
  table.push_back(
      {.name = "layer.own", .title = "Type your own Q, K and V", .menu = "File", .run = [](Desk& desk) {
         desk.draft = Document();
         desk.draft.layer() = empty_layer();
       }});
}

}  // namespace attn
