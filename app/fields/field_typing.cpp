// The text of a row that is being typed, and what is said when it was refused.
#include "app/fields/field_typing.h"

#include <utility>

#include "app/fields/field_parts.h"
#include "app/language/speech.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "core/system/error.h"

namespace attn {

std::string field_id(const FieldRow& row) {
  return "##" + row.id;
}

namespace {

// The edit of that row, which is drawn now: its section stays open.
FieldEdit* edit_of(View& view, const std::string& id) {
  if (!view.field || view.field->field != id) return nullptr;
  view.field->row = FieldEdit::known;
  if (!view.sections.drawn.empty()) leave_section(view, view.sections.drawn, true);
  return &*view.field;
}

}  // namespace

bool is_typing(View& view, const FieldRow& row) {
  const FieldEdit* edit = edit_of(view, row.id);
  return edit && edit->error.empty();
}

void start_typing(View& view, const FieldRow& row, const std::string& text) {
  view.field = FieldEdit{.field = row.id, .text = text, .error = {}, .fixes = {}};
}

std::optional<std::string> typing_box(Frame& frame, const FieldRow& row, Rect box) {
  const Theme& theme = frame.theme;
  FieldEdit& edit = *frame.view.field;
  char buffer[128];
  buffer[edit.text.copy(buffer, sizeof buffer - 1)] = 0;
  ImGui::SetCursorScreenPos(box.min);
  ImGui::SetNextItemWidth(box.width());
  if (std::exchange(edit.focus, false)) focus_next_item();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {theme.px(8), (box.height() - font_size(theme.fonts.body)) / 2});
  const bool entered =
      ImGui::InputText(field_id(row).c_str(), buffer, sizeof buffer,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  edit.text = buffer;
  // Enter, Tab and a click elsewhere all take the text: what was typed is not lost by looking away.
  const bool left = ImGui::IsItemDeactivated();
  ImGui::GetWindowDrawList()->AddRect(box.min, box.max, theme.focus_ring, theme.px(4), 0, theme.px(1.5f));
  if (!entered && !left) return std::nullopt;
  std::optional<std::string> text = edit.text;
  if (!entered && key_pressed(GLFW_KEY_ESCAPE, false)) text.reset();
  frame.view.field.reset();
  return text;
}

void refuse(View& view, const std::string& id, const std::string& error, std::vector<std::size_t> fixes) {
  view.field = FieldEdit{.field = id, .text = {}, .error = error, .fixes = std::move(fixes), .focus = false};
}

bool attempt_in_row(View& view, const RefusedAt& at, const std::function<void()>& act) {
  try {
    act();
    view.field.reset();
    return true;
  } catch (const Error& error) {
    refuse(view, at.row, at.before + error.what(), at.fixes ? at.fixes() : std::vector<std::size_t>());
    return false;
  }
}

std::optional<std::size_t> refusal(Frame& frame, Column column, const std::string& id) {
  const FieldEdit* refused = edit_of(frame.view, id);
  if (!refused || refused->error.empty()) return std::nullopt;
  const FieldEdit edit = *refused;
  const std::string error = spoken(edit.error);
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.small;
  const float width = column.right - column.left;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = font->CalcTextSizeA(font_size(font), 1e6f, width, error.c_str());
  ImGui::GetWindowDrawList()->AddText(font, font_size(font), at, theme.bad, error.c_str(), nullptr, width);
  ImGui::SetCursorScreenPos({column.left, at.y + size.y + theme.px(5)});
  std::optional<std::size_t> chosen;
  ImGui::PushID(id.c_str());
  {
    ChipRow chips(theme, column.left, column.right);
    for (const std::size_t fix : edit.fixes)
      if (chips.add({.id = "use " + std::to_string(fix),
                     .text = "use " + std::to_string(fix),
                     .tooltip = {},
                     .on = true}))
        chosen = fix;
    if (chips.add({.id = "dismiss", .text = "dismiss", .tooltip = "the value stays as it was"}) || chosen)
      frame.view.field.reset();
  }
  ImGui::PopID();
  return chosen;
}

}  // namespace attn
