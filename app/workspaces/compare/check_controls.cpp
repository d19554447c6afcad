// The controls of a check: the file, its names, the layer that it should be, what equal means, what is tried,
// and the line that does the same in a terminal.
#include <algorithm>
#include <filesystem>

#include "app/fields/field_parts.h"
#include "app/fields/field_rows.h"
#include "app/layer/layer_controls.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_file.h"
#include "app/workspaces/compare/check_names.h"
#include "app/workspaces/compare/check_rows.h"
#include "core/attention/layer_fields.h"
#include "core/compare/check_fields.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::string_view kMore = "More of the layer";

// Its name; pressed, its path can be typed.
void file_box(Frame& frame, Column column) {
  const Theme& theme = frame.theme;
  const CheckSpec& check = frame.draft.check;
  const std::string path = check.file.empty() ? "" : check.file[0];
  const FieldRow row{"check.file", "",
                     path.empty() ? "type the path of a file to check" : path + "\nclick: type another"};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool typed = frame.view.field && frame.view.field->field == row.id;
  const std::string name = path.empty() ? "no file yet" : std::filesystem::path(path).filename().string();
  const auto wanted = text_row(frame, column, row, typed ? path : "");
  if (wanted && !wanted->empty()) read_check_file(frame.view, *wanted);
  if (typed) return;
  const Rect box{at, {column.right, at.y + theme.px(24)}};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!path.empty()) list.AddRect(box.min, box.max, theme.warning, theme.px(4), 0, theme.px(1));
  const std::size_t count = check.names.size();
  const std::string arrays = count == 0 ? "" : std::to_string(count) + (count == 1 ? " array" : " arrays");
  const ImFont* small = theme.fonts.small;
  const float right = box.max.x - theme.px(kPad), from = right - text_width(small, arrays);
  draw_text(list, small, {from, box.min.y + (box.height() - font_size(small)) / 2}, theme.dim, arrays);
  draw_value(theme, {box.min, {from, box.max.y}}, name, 0, path.empty() ? theme.dim : theme.text);
}

void file_chips(Frame& frame, Column column) {
  section(frame, column, "Your file", "file");
  file_box(frame, column);
  ChipRow row(frame.theme, column.left, column.right);
  const auto run = [&](const char* command, const char* text, const char* tooltip, bool on = false) {
    if (row.add({.id = command, .text = text, .tooltip = tooltip, .on = on}))
      frame.commands.emplace_back(command);
  };
  run("check.open", "open…", "choose another file (O)");
  if (frame.draft.check.file.empty()) return;
  run("check.follow", "follow", "read the file again whenever it changes; what is pinned stays",
      frame.view.of<CompareView>().follow);
  run("check.as_b", "as B", "yours becomes B: compared with A as any other layer");
}

void biases_chip(Frame& frame, ChipRow& row) {
  LayerSpec& layer = frame.layer();
  const std::vector<Tensor LayerSpec::*> biases{&LayerSpec::b_q, &LayerSpec::b_k, &LayerSpec::b_v,
                                                &LayerSpec::b_o};
  const bool any = std::ranges::any_of(biases, [&](auto member) { return !(layer.*member).empty(); });
  if (!row.add({.id = "check.biases",
                .text = "biases",
                .tooltip =
                    any ? "the biases of the file are added; click: leave them out (Ctrl+Z brings them back)"
                        : "the layer has no biases",
                .on = any,
                .faint = !any}) ||
      !any)
    return;
  for (auto member : biases) layer.*member = {};
}

void rule_chip(Frame& frame, ChipRow& row, const MaskRule& rule) {
  LayerSpec& layer = frame.layer();
  const bool on = std::ranges::any_of(
      layer.masks, [&](const MaskTerm& term) { return term.rule.index() == rule.index(); });
  if (row.add({.id = std::string("check.") + name(rule),
               .text = name(rule),
               .tooltip = std::string(mask_rule_text(rule).sentence),
               .on = on}))
    toggle_rule(layer, rule.index());
}

void layer_rows(Frame& frame, Column column) {
  section(frame, column, "The layer it should be", "layer");
  draw_head_counts(frame, column);
  draw_position_kind(frame, column);
  draw_scale_rows(frame, column);
  {
    ChipRow row(frame.theme, column.left, column.right);
    rule_chip(frame, row, CausalRule());
    rule_chip(frame, row, PaddingRule());
    biases_chip(frame, row);
  }
  if (!foldable_section(frame, column, {.title = kMore})) return;
  ImGui::PushID("more");
  draw_layer_controls(frame, column);
  ImGui::PopID();
}

void tried_chips(Frame& frame, Column column) {
  CheckSpec& check = frame.draft.check;
  section(frame, column, "Try", "try");
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "check.one",
               .text = "one mistake",
               .tooltip = "each known mistake alone: always tried",
               .on = true}))
    check.pairs = check.three = false;
  switch_chip(
      row, {.id = "check.pairs", .text = "pairs", .tooltip = std::string(check_field::pairs.text.sentence)},
      check.pairs);
  switch_chip(
      row, {.id = "check.three", .text = "three", .tooltip = std::string(check_field::three.text.sentence)},
      check.three);
}

// What the command would say, and its exit code.
void terminal_line(Frame& frame, Column column) {
  const Theme& theme = frame.theme;
  section(frame, column, "In the terminal", "terminal");
  const std::string line = check_command_line(frame.draft);
  const ImFont* font = theme.fonts.small;
  const std::string lines = wrapped(font, line, column.right - column.left);
  const ImVec2 at = ImGui::GetCursorScreenPos(),
               size = font->CalcTextSizeA(font_size(font), 1e6f, 0, lines.c_str());
  const Rect area{at, {column.right, at.y + size.y + theme.px(4)}};
  draw_text(*ImGui::GetWindowDrawList(), font, at, theme.text, lines);
  if (press_area(theme, "check.line", area, "copy the line")) {
    ImGui::SetClipboardText(line.c_str());
    frame.view.say("copied the line for the terminal");
  }
  ImGui::SetCursorScreenPos({column.left, area.max.y});
  const std::vector<StageVerdict> verdicts = check_verdicts(frame);
  if (verdicts.empty()) return;
  const bool differs = first_of(verdicts).has_value();
  const std::string exit = differs ? "exit 1" : "exit 0";
  draw_text(*ImGui::GetWindowDrawList(), font, {column.right - text_width(font, exit), area.max.y},
            differs ? theme.bad : theme.good, exit);
  ImGui::SetCursorScreenPos({column.left, area.max.y + font_size(font) + theme.px(6)});
}

}  // namespace

void check_chips(Frame& frame, Column column) {
  section(frame, column, "Compare", "compare");
  ChipRow row(frame.theme, column.left, column.right);
  bool& on = frame.draft.check.on;
  if (row.add({.id = "check.off",
               .text = std::string(check_field::on.off),
               .tooltip = "the layer of the Pipeline beside another",
               .on = !on}))
    on = false;
  if (row.add({.id = "check.on",
               .text = std::string(check_field::on.text.title),
               .tooltip = std::string(check_field::on.text.sentence),
               .on = on}))
    on = true;
}

void draw_check_controls(Frame& frame, Column column) {
  CheckSpec& check = frame.draft.check;
  file_chips(frame, column);
  if (!check.names.empty()) {
    section(frame, column, "Names, as understood", "names");
    draw_check_names(frame, column);
  }
  layer_rows(frame, column);
  section(frame, column, "Equal within", "equal");
  field_row(frame, column, "check", check_field::absolute, check.absolute);
  field_row(frame, column, "check", check_field::relative, check.relative);
  tried_chips(frame, column);
  terminal_line(frame, column);
}

}  // namespace attn
