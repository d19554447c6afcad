// The controls of the workspace of positions.
#include <algorithm>

#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/fields/slider.h"
#include "app/layer/layer_controls.h"
#include "app/widgets/chips.h"
#include "app/workspaces/positions/row.h"
#include "app/workspaces/positions/scene.h"
#include "app/workspaces/positions/view.h"
#include "core/positions/fields.h"

namespace attn {
namespace {

constexpr double kLeastBase = 1, kMostBase = 1e9;

void count_slider(Frame& frame, Column column, const char* id, const CountField& about, std::size_t& value,
                  std::size_t least, std::size_t most, bool log) {
  const FieldRow row{id, std::string(about.text.title), std::string(about.text.sentence)};
  const auto wanted = slider_row(frame, column, row,
                                 {.value = static_cast<double>(value),
                                  .least = static_cast<double>(least),
                                  .most = static_cast<double>(std::max(most, value)),
                                  .log = log,
                                  .shown = std::to_string(value)});
  if (wanted) value = static_cast<std::size_t>(*wanted);
}

// The settings of the shown kind; what the training length decides is no setting of its own here.
void kind_rows(Frame& frame, Column column, Position& position) {
  const auto is_training = [](const FieldText& text) {
    return &text == &position_field::length.text || &text == &position_field::trained.text;
  };
  std::visit(
      [&]<class Choice>(Choice& choice) {
        visit_fields(of<Choice>, [&](const auto& about, auto member) {
          if (is_training(about.text)) return;
          field_row(frame, column, "positions", about, choice.*member);
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(about)>, NumberField>)
            if (&about == &position_field::base)
              if (const auto wanted =
                      slider_row(frame, column, {"positions.base slider", "", "drag the base"},
                                 {.value = choice.*member,
                                  .least = kLeastBase,
                                  .most = kMostBase,
                                  .whole = false,
                                  .log = true}))
                choice.*member = *wanted;
        });
      },
      position);
}

std::string title_of(const Position& position) {
  return std::string(position_text(position).title);
}

void encoding_controls(Frame& frame, Column column) {
  PositionsSpec& spec = frame.draft.positions;
  const std::string size = std::to_string(spec.length) + " × " + std::to_string(spec.width);
  if (!foldable_section(
          frame, column,
          {.title = "Encoding", .state = states({title_of(spec.encodings[0]), size}), .open = true}))
    return;
  std::vector<std::string> titles;
  for (const PositionText& text : kPositions) titles.emplace_back(text.title);
  FieldRow row = row_of(positions_field::encodings.text);
  row.id = "positions.kind";
  if (const auto chosen = choice_row(frame, column, row, titles, spec.encodings[0].index()))
    show_encoding(spec, *chosen);
  field_row(frame, column, "positions", positions_field::length, spec.length);
  count_track(frame, column, "positions.length slider", positions_field::length, spec.length);
  field_row(frame, column, "positions", positions_field::width, spec.width);
  count_track(frame, column, "positions.width slider", positions_field::width, spec.width);
  kind_rows(frame, column, spec.encodings[0]);
}

void compare_controls(Frame& frame, Column column) {
  PositionsSpec& spec = frame.draft.positions;
  std::vector<std::string> others;
  for (std::size_t i = 1; i < spec.encodings.size(); ++i) others.push_back(title_of(spec.encodings[i]));
  if (!foldable_section(frame, column,
                        {.title = "Compare with", .state = state_of_several(others), .open = true}))
    return;
  ChipRow row(frame.theme, column.left, column.right);
  for (std::size_t kind = 0; kind < kPositions.size(); ++kind) {
    if (kind == spec.encodings[0].index()) continue;
    const PositionText& text = kPositions[kind];
    if (row.add({.id = "compare " + std::string(text.word),
                 .text = std::string(text.title),
                 .tooltip = std::string(text.sentence),
                 .on = has_encoding(spec, kind)}))
      toggle_encoding(spec, kind);
  }
}

void look_controls(Frame& frame, Column column) {
  PositionsView& view = frame.view.of<PositionsView>();
  const PositionsSpec& spec = frame.draft.positions;
  const std::size_t rows = std::max<std::size_t>(1, view.rows);
  const TwoPositions at = two_positions(view, rows);
  const std::string delta = (view.delta > 0   ? "+"
                             : view.delta < 0 ? "−"
                                              : "") +
                            std::to_string(std::abs(view.delta));
  const std::string state = states({"p " + std::to_string(at.p), "Δ " + delta});
  if (!foldable_section(frame, column, {.title = "Look at", .state = state, .open = true})) return;
  const auto last = static_cast<double>(rows - 1);
  if (const auto p = slider_row(
          frame, column, {"positions.p", "position p", "the position on show"},
          {.value = static_cast<double>(at.p), .least = 0, .most = last, .shown = std::to_string(at.p)}))
    view.p = static_cast<std::size_t>(*p);
  const auto half = static_cast<double>(std::max<std::size_t>(1, spec.length / 2));
  if (const auto d = slider_row(
          frame, column, {"positions.delta", "offset Δ", "how far the other position is"},
          {.value = static_cast<double>(view.delta), .least = -half, .most = half, .shown = delta}))
    view.delta = static_cast<std::ptrdiff_t>(*d);
  ImGui::PushID("dimensions");
  {
    ChipRow row(frame.theme, column.left, column.right);
    std::vector<std::size_t>& chosen = frame.draft.positions.dimensions;
    for (const std::size_t dimension : std::vector(chosen)) {
      const std::string number = std::to_string(dimension);
      if (row.add({.id = "dimension " + number,
                   .text = number + " ×",
                   .tooltip = "remove it from the plot",
                   .on = true}))
        std::erase(chosen, dimension);
    }
  }
  ImGui::PopID();
  hint(frame, column, "dimensions drawn: click a column of the map to add one");
}

void beyond_controls(Frame& frame, Column column) {
  PositionsSpec& spec = frame.draft.positions;
  const std::string state = states({std::to_string(spec.trained), "keys to " + std::to_string(spec.reach)});
  if (!foldable_section(frame, column, {.title = "Training length", .state = state})) return;
  count_slider(frame, column, "positions.trained slider", positions_field::trained, spec.trained, 1,
               std::max<std::size_t>(2 * spec.length, 64), false);
  hint(frame, column, "past it a learned table has no row");
  count_slider(frame, column, "positions.reach slider", positions_field::reach, spec.reach, 2,
               positions_field::kMostPositions, true);
}

void shift_controls(Frame& frame, Column column) {
  PositionsSpec& spec = frame.draft.positions;
  const std::string state = state_of(positions_field::shift, spec.shift);
  if (!foldable_section(frame, column, {.title = "Shift every position", .state = state})) return;
  count_slider(frame, column, "positions.shift slider", positions_field::shift, spec.shift, 0, 1000, false);
  hint(frame, column, std::string(positions_field::shift.text.sentence));
}

void content_controls(Frame& frame, Column column) {
  PositionsSpec& spec = frame.draft.positions;
  const auto counted = [](std::size_t count, const CountField& field) {
    return std::to_string(count) + " " + std::string(field.text.title);
  };
  const std::string state =
      states({counted(spec.tokens, positions_field::tokens), counted(spec.heads, positions_field::heads)});
  if (!foldable_section(frame, column, {.title = "Content", .state = state})) return;
  field_row(frame, column, "positions", positions_field::tokens, spec.tokens);
  field_row(frame, column, "positions", positions_field::heads, spec.heads);
  std::size_t& head = frame.view.layer.head;
  const auto wanted = count_row(frame, column, {"positions.head", "head shown", "of the scores and biases"},
                                {.value = std::min(head, spec.heads - 1), .most = spec.heads - 1});
  if (wanted) head = wanted->value;
  refusal(frame, column, "positions.head");
  field_row(frame, column, "positions", positions_field::seed, spec.seed);
  if (has_encoding(spec, Position(Alibi()).index())) hint(frame, column, "ALiBi: " + slopes_of(spec.heads));
}

}  // namespace

void draw_positions_controls(Frame& frame, Column column) {
  if (frame.draft.positions.encodings.empty()) frame.draft.positions.encodings = PositionsSpec().encodings;
  encoding_controls(frame, column);
  compare_controls(frame, column);
  look_controls(frame, column);
  beyond_controls(frame, column);
  shift_controls(frame, column);
  content_controls(frame, column);
}

}  // namespace attn
