// How the layer tells its tokens where they stand: the kind of encoding and the settings of that kind.
#include <algorithm>

#include "app/canvas/edits.h"
#include "app/frame/workspace.h"
#include "app/layer/layer_controls.h"
#include "core/attention/layer_fields.h"
#include "core/edits/edit.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::size_t kMostSlopes = 12;  // that are shown

// Makes it the layer's, or says under the row why that cannot be, with a width of RoPE that can.
void use(Frame& frame, const Position& position) {
  const auto fixes = [&]() -> std::vector<std::size_t> {
    if (const auto fits = repaired(position, key_width(frame.layer())))
      if (const auto* rotary = std::get_if<Rotary>(&*fits)) return {rotary->part};
    return {};
  };
  attempt(frame, {.row = std::string(layer_field::position.text.key), .fixes = fixes}, [&](LayerAt in) {
    in.layer().position = position;
    if (in.layer().direct && is_added(position))
      throw Error(
          "Q, K and V are given: there is no X to add an encoding to. Use one that turns them, or a "
          "bias");
    frame.workspace.build(in.document, kLayerA);
  });
}

}  // namespace

void draw_position_kind(Frame& frame, Column column) {
  const Position& position = frame.layer().position;
  std::vector<std::string> titles;
  for (const PositionText& text : kPositions) titles.emplace_back(text.title);
  FieldRow row = row_of(layer_field::position.text);
  row.tooltip = position_text(position).sentence;
  const auto chosen = choice_row(frame, column, row, titles, position.index());
  if (chosen) use(frame, position_at(*chosen));
  if (const auto part = refusal(frame, column, row.id)) {
    Rotary rotary;
    if (const auto* now = std::get_if<Rotary>(&position)) rotary = *now;
    rotary.part = *part;
    use(frame, rotary);
  }
}

std::string slopes_of(std::size_t heads) {
  std::string text = heads == 1 ? "slope" : "slopes";
  for (std::size_t head = 0; head < std::min(heads, kMostSlopes); ++head)
    text += " " + shortest(static_cast<float>(alibi_slope(head, heads)));
  return heads > kMostSlopes ? text + " …" : text;
}

void draw_position_controls(Frame& frame, Column column) {
  const LayerSpec& layer = frame.layer();
  const auto state = [](const LayerSpec& of) { return std::string(position_text(of.position).title); };
  if (!layer_section(frame, column, "Position", state)) return;
  draw_position_kind(frame, column);
  if (std::holds_alternative<NoPosition>(layer.position)) return;
  if (layer.direct && is_added(layer.position))
    return hint(frame, column, "Q, K and V are given: nothing is added to them");
  Position changed = layer.position;
  const bool edited =
      std::visit([&](auto& position) { return field_rows(frame, column, "position", position); }, changed);
  if (edited) use(frame, changed);
  if (std::holds_alternative<Alibi>(changed)) hint(frame, column, slopes_of(head_count(layer)));
  field_row(frame, column, "position", layer_field::first_position, frame.layer().first_position);
}

}  // namespace attn
