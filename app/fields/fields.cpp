// Rows of the controls that hold words: captions, text, a choice.
#include "app/fields/fields.h"

#include "app/fields/field_parts.h"
#include "app/fields/field_typing.h"
#include "app/frame/step_words.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kSectionPitch = 30, kChevron = 17;

// Where it begins, for whoever looks for it.
void note_part(Frame& frame, PanelPart part) {
  part.layer = frame.address.layer;
  part.top = ImGui::GetCursorScreenPos().y - ImGui::GetWindowPos().y + ImGui::GetScrollY();
  frame.view.controls.parts.push_back(std::move(part));
}

}  // namespace

void section(Frame& frame, Column column, std::string_view title, std::optional<std::string_view> word) {
  const Theme& theme = frame.theme;
  frame.view.sections.drawn.clear();
  note_part(frame, {.title = std::string(title), .word = std::string(word.value_or(title))});
  ImVec2 at = ImGui::GetCursorScreenPos();
  at.y += theme.px(8);
  const float room = column.right - column.left;
  const ImFont* font = text_width(theme.fonts.bold, title) > room ? theme.fonts.small : theme.fonts.bold;
  draw_text(*ImGui::GetWindowDrawList(), font, {column.left, at.y}, theme.dim,
            elided(font, std::string(title), room));
  ImGui::SetCursorScreenPos({column.left, at.y + theme.px(22)});
}

bool foldable_section(Frame& frame, Column column, const Foldable& fold) {
  const Theme& theme = frame.theme;
  View& view = frame.view;
  const std::string title(fold.title);
  const StepChip* step = frame.step();
  const bool present = step && step->words && step->words->controls == title;
  const auto left = view.sections.open.find(title);
  const bool kept = left == view.sections.open.end() ? fold.open || view.sections.all : left->second;
  const bool sought = view.field && view.field->row == FieldEdit::sought;
  const bool open = kept || present || sought;
  view.sections.drawn = title;
  note_part(frame, {.title = title, .word = title, .state = fold.state, .present = present});

  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect line{{column.left, at.y + theme.px(2)}, {column.right, at.y + theme.px(kSectionPitch - 2)}};
  ImGui::SetCursorScreenPos(line.min);
  bool pressed = ImGui::InvisibleButton(("section " + title).c_str(), {line.width(), line.height()});
  pressed = pressed_by_enter() || pressed;
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (pressed && !present) view.sections.open[title] = !open;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = (line.height() - font_size(theme.fonts.bold)) / 2;
  draw_text(list, theme.fonts.body, {line.min.x, line.min.y + middle}, theme.dim, open ? "▾" : "▸");
  const float words = line.min.x + theme.px(kChevron);
  draw_text(list, theme.fonts.bold, {words, line.min.y + middle}, theme.text, fold.title);
  draw_value(theme, {{words + text_width(theme.fonts.bold, title), line.min.y}, line.max},
             present ? "this step" : fold.state, 1, present ? theme.accent : theme.dim);
  draw_focus_ring(theme, theme.px(4));
  ImGui::SetCursorScreenPos({column.left, at.y + theme.px(kSectionPitch)});
  return open;
}

void end_sections(View& view) {
  view.sections.drawn.clear();
  if (view.field && view.field->row != FieldEdit::known)
    view.field->row = view.field->row == FieldEdit::unknown ? FieldEdit::sought : FieldEdit::known;
}

void hint(Frame& frame, Column column, const std::string& text) {
  const ImFont* font = frame.theme.fonts.small;
  const float width = column.right - column.left;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string lines = wrapped(font, text, width);
  const ImVec2 size = font->CalcTextSizeA(font_size(font), 1e6f, 0, lines.c_str());
  draw_text(*ImGui::GetWindowDrawList(), font, {column.left, at.y}, frame.theme.faint, lines);
  ImGui::SetCursorScreenPos({column.left, at.y + size.y + frame.theme.px(4)});
}

void value_row(Frame& frame, Column column, const FieldRow& row, const std::string& value) {
  const Rect box = begin_row(frame, column, row);
  draw_value(frame.theme, box, value, 1, frame.theme.dim);
}

std::optional<std::string> text_row(Frame& frame, Column column, const FieldRow& row,
                                    const std::string& value) {
  const Rect box = begin_row(frame, column, row);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  std::optional<std::string> text;
  if (is_typing(frame.view, row)) {
    text = typing_box(frame, row, box);
  } else {
    ImGui::SetCursorScreenPos(box.min);
    const bool pressed = ImGui::InvisibleButton(field_id(row).c_str(), {box.width(), box.height()});
    if (wants_tooltip()) ImGui::SetTooltip("%s", row.tooltip.c_str());
    draw_box(frame.theme, box, ImGui::IsItemHovered());
    draw_value(frame.theme, box, value, 1, frame.theme.text);
    if (pressed_by_enter() || pressed) start_typing(frame.view, row, value);
    draw_focus_ring(frame.theme, frame.theme.px(4));
  }
  ImGui::SetCursorScreenPos(next);
  return text;
}

std::optional<std::size_t> choice_row(Frame& frame, Column column, const FieldRow& row,
                                      std::span<const std::string> names, std::size_t current,
                                      std::span<const std::string> says) {
  const Theme& theme = frame.theme;
  const Rect box = begin_row(frame, column, row);
  const ImVec2 next = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(box.min);
  const bool pressed = ImGui::InvisibleButton(row.id.c_str(), {box.width(), box.height()});
  if (wants_tooltip()) ImGui::SetTooltip("%s", row.tooltip.c_str());
  draw_box(theme, box, ImGui::IsItemHovered());
  const std::string shown = current < names.size() ? names[current] : std::string("choose…");
  const float mark = theme.px(16);
  draw_value(theme, {box.min, {box.max.x - mark + theme.px(2), box.max.y}}, shown,
             row.label.empty() ? 0.0f : 1.0f, theme.text);
  draw_value(theme, {{box.max.x - mark - theme.px(8), box.min.y}, box.max}, "▾", 1, theme.dim);
  draw_focus_ring(theme, theme.px(4));
  const std::string list = row.id + " list";
  if (pressed_by_enter() || pressed) ImGui::OpenPopup(list.c_str());
  ImGui::SetNextWindowPos({box.min.x, box.max.y + theme.px(2)}, ImGuiCond_Appearing);
  std::optional<std::size_t> chosen;
  if (ImGui::BeginPopup(list.c_str())) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      bool picked = ImGui::Selectable(names[i].c_str(), i == current);
      picked = pressed_by_enter() || picked;
      if (i == current) ImGui::SetItemDefaultFocus();
      if (i < says.size() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", says[i].c_str());
      if (!picked) continue;
      chosen = i;
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::SetCursorScreenPos(next);
  return chosen == current ? std::nullopt : chosen;
}

}  // namespace attn
