// Rows of the controls that hold words: captions, text, a choice.
#include "app/fields/fields.h"

#include <algorithm>

#include "app/fields/field_parts.h"
#include "app/fields/field_typing.h"
#include "app/frame/step_words.h"
#include "app/frame/workspace.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kSectionPitch = 30, kChevron = 17, kLeastState = 24;

// Of the workspace on screen.
std::string sections_of(const View& view) {
  return view.workspace ? std::string(view.workspace->name) : "";
}

// As the person left it; none: nobody opened or closed it.
std::optional<bool> as_left(const View& view, const std::string& title) {
  const auto& all = view.settings.sections.left;
  const auto here = all.find(sections_of(view));
  if (here == all.end()) return std::nullopt;
  const auto found = here->second.find(title);
  return found == here->second.end() ? std::nullopt : std::optional(found->second);
}

// The chevron, the title and, at the right, the state: what does not fit is elided, whole under the pointer.
void draw_fold(Frame& frame, Rect line, const Foldable& fold, bool open, bool present) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.bold;
  const float words = line.min.x + theme.px(kChevron), room = line.max.x - words;
  const std::string shown = elided(font, std::string(fold.title), room);
  const float y = line.min.y + (line.height() - font_size(font)) / 2;
  draw_text(list, theme.fonts.body, {line.min.x, y}, theme.dim, open ? "▾" : "▸");
  draw_text(list, font, {words, y}, theme.text, shown);
  const float rest = room - text_width(font, shown) - theme.px(kWordGap);
  const std::string state = present ? "this step" : fold.state;
  const ImFont* small = text_width(theme.fonts.body, state) <= rest ? theme.fonts.body : theme.fonts.small;
  const std::string fits = rest >= theme.px(kLeastState) ? elided(small, state, rest) : "";
  draw_text(list, small,
            {line.max.x - text_width(small, fits), line.min.y + (line.height() - font_size(small)) / 2},
            present        ? theme.accent
            : fold.differs ? theme.key
                           : theme.dim,
            fits);
  if ((shown != fold.title || fits != fold.state) && wants_tooltip())
    show_tooltip(std::string(fold.title) + (fold.state.empty() ? "" : ": ") + fold.state);
}

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

void leave_section(View& view, const std::string& title, bool open) {
  view.settings.sections.left[sections_of(view)][title] = open;
}

bool foldable_section(Frame& frame, Column column, const Foldable& fold) {
  const Theme& theme = frame.theme;
  View& view = frame.view;
  const std::string title(fold.title);
  const StepChip* step = frame.step();
  const bool present = step && step->words && std::ranges::count(step->words->controls, title) > 0;
  const bool kept = as_left(view, title).value_or(fold.open || view.settings.sections.all);
  const bool sought = view.field && view.field->row == FieldEdit::sought;
  const bool open = kept || present || sought;
  view.sections.drawn = title;
  note_part(frame, {.title = title, .word = title, .state = fold.state, .present = present, .folds = true});

  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect line{{column.left, at.y + theme.px(2)}, {column.right, at.y + theme.px(kSectionPitch - 2)}};
  ImGui::SetCursorScreenPos(line.min);
  bool pressed = ImGui::InvisibleButton(("section " + title).c_str(), {line.width(), line.height()});
  pressed = pressed_by_enter() || pressed;
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (pressed && !present) leave_section(view, title, !open);
  draw_fold(frame, line, fold, open, present);
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
    if (wants_tooltip()) show_tooltip(row.tooltip);
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
  if (wants_tooltip()) show_tooltip(row.tooltip);
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
      bool picked = selectable(names[i], i == current);
      picked = pressed_by_enter() || picked;
      if (i == current) ImGui::SetItemDefaultFocus();
      if (i < says.size() && ImGui::IsItemHovered()) show_tooltip(says[i]);
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
