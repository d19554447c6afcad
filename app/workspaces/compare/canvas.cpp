// The canvas that compares: a row for each stage, A, the layer compared with it, and their difference.
#include <algorithm>
#include <array>

#include "app/canvas/canvas.h"
#include "app/canvas/notice.h"
#include "app/canvas/progress.h"
#include "app/canvas/shelf.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_file.h"
#include "app/workspaces/compare/check_scene.h"
#include "app/workspaces/compare/row.h"
#include "app/workspaces/compare/row_draw.h"
#include "core/compare/fields.h"

namespace attn {
namespace {

constexpr float kHeadChips = 34;  // points

// Of what differs the value that a side has: the first, and how many more there are.
Subtitle own_values(const std::vector<LayerDifference>& differences, std::string LayerDifference::*side) {
  Subtitle says;
  if (!differences.empty()) says.push_back({.text = differences[0].*side, .essential = true});
  if (differences.size() > 1)
    says.push_back({.text = "+ " + std::to_string(differences.size() - 1), .essential = true});
  return says;
}

std::string all_values(const std::string& name, const std::vector<LayerDifference>& differences,
                       std::string LayerDifference::*side) {
  std::string text = name;
  for (const LayerDifference& one : differences) text += "\n" + one.*side;
  return text;
}

Rect heads_line(const Theme& theme, Rect canvas, float left, float right) {
  return {{left, canvas.min.y + theme.px(8)}, {right, canvas.min.y + theme.px(kColumnHeads - 4)}};
}

// Where one column is alone the heads choose it; before the rows that they lie over.
void choose_column(Frame& frame, Rect line) {
  for (std::size_t c = 0; c < kColumns; ++c)
    if (press_area(frame.theme, ("column " + std::to_string(c)).c_str(), column_of(frame.theme, line, c)))
      frame.view.of<CompareView>().column = c;
}

// They stay while what is below them scrolls. `alone`: the column that is; kColumns: all are there.
void draw_heads_of_columns(const Frame& frame, Rect canvas, Rect line, std::size_t alone) {
  const Theme& theme = frame.theme;
  const std::vector<LayerDifference> differing =
      differences_from_a(frame.draft, compared_address(frame.draft));
  const std::string name = compared_name(frame.draft);
  std::string difference(compare_field::figure.titles()[frame.draft.compare.figure]);
  if (const auto at = difference.find('B'); at != std::string::npos) difference.replace(at, 1, name);
  const std::array<ImU32, kColumns> inks{theme.query, theme.key, theme.text};
  const std::array<std::string LayerDifference::*, 2> sides{&LayerDifference::a, &LayerDifference::b};
  ImGui::GetWindowDrawList()->AddRectFilled({canvas.min.x + 1, canvas.min.y}, {canvas.max.x, line.max.y},
                                            theme.canvas);
  for (std::size_t c = 0; c < kColumns; ++c) {
    const Rect place = column_of(theme, line, c);
    const std::string title = c == 0 ? "A" : c == 1 ? name : difference;
    const Subtitle says = c < sides.size() ? own_values(differing, sides[c]) : Subtitle();
    draw_title(*ImGui::GetWindowDrawList(), theme, place.min,
               alone == kColumns || alone == c ? inks[c] : theme.dim, says.empty() ? title : title + ":",
               says, place.width());
    if (alone == c)
      ImGui::GetWindowDrawList()->AddRectFilled({place.min.x, place.max.y - theme.px(2)}, place.max,
                                                theme.accent);
    if (!says.empty() && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(place.min, place.max))
      show_tooltip(all_values(title, differing, sides[c]));
  }
}

// Of many heads which one is shown, the one that differs most first. Its height.
float draw_head_chooser(Frame& frame, const CompareFigures& figures, Rect canvas) {
  const std::vector<double>& largest = figures.head_largest;
  if (largest.size() < 2) return 0;
  const Theme& theme = frame.theme;
  std::vector<std::size_t> heads(largest.size());
  for (std::size_t i = 0; i < heads.size(); ++i) heads[i] = i;
  std::ranges::stable_sort(heads, [&](std::size_t a, std::size_t b) { return largest[a] > largest[b]; });
  const float left = canvas.min.x + theme.px(kSceneMargin), right = canvas.max.x - theme.px(kSceneMargin);
  ImGui::SetCursorScreenPos({left, canvas.min.y + theme.px(6)});
  ChipRow row(theme, left, right);
  float x = left;
  for (const std::size_t head : heads) {
    const std::string text = "head " + std::to_string(head);
    x += chip_size(theme, text).x + theme.px(kChipGap);
    if (x > right) break;
    if (row.add({.id = "compare." + text,
                 .text = text,
                 .tooltip = "its weights differ by " + short_number(largest[head]) + " at most",
                 .on = frame.view.layer.head == head}))
      frame.view.layer.head = head;
  }
  return theme.px(kHeadChips);
}

// Of layers that differ in nothing. Its height.
float draw_no_difference(Frame& frame, Rect canvas) {
  const Theme& theme = frame.theme;
  const float left = canvas.min.x + theme.px(kSceneMargin), right = canvas.max.x - theme.px(kSceneMargin);
  draw_text(*ImGui::GetWindowDrawList(), theme.fonts.body, {left, canvas.min.y + theme.px(8)}, theme.text,
            "No difference left: " + compared_name(frame.draft) + " is A. Add one:");
  ImGui::SetCursorScreenPos({left, canvas.min.y + theme.px(30)});
  ImGui::PushID("no difference");
  difference_chips(frame, left, right);
  ImGui::PopID();
  return ImGui::GetCursorScreenPos().y - canvas.min.y + theme.px(4);
}

void scroll_to_revealed(Frame& frame, const std::vector<CompareRow>& rows, Rect canvas, ImVec2 content) {
  const auto stage = take_revealed(frame, frame.graph);
  if (!stage) return;
  for (const CompareRow& row : rows)
    if (row.has(*stage))
      return scroll_to(frame, canvas, content,
                       {{row.area.min.x, row.area.min.y - frame.theme.px(kColumnHeads)}, row.area.max});
}

void draw_rows(Frame& frame, const CompareFigures& figures, Rect canvas, ImVec2& content) {
  const float zoom = frame.canvas().zoom;
  const auto rows =
      compare_rows(frame, figures, {canvas.width() * std::max(1.0f, zoom), canvas.height() * zoom});
  content.x = canvas.width() * std::max(1.0f, zoom);
  if (!rows.empty()) content.y = std::max(content.y, rows.back().area.max.y + frame.theme.px(kRowPadding));
  scroll_to_revealed(frame, rows, canvas, content);
  const ImVec2 corner = canvas_origin(frame.canvas(), canvas, content);
  const float margin = frame.theme.px(kSceneMargin);
  const Rect heads = heads_line(frame.theme, canvas, corner.x + margin, corner.x + content.x - margin);
  const std::size_t alone = rows.empty() ? kColumns : rows.front().alone.value_or(kColumns);
  if (alone != kColumns) choose_column(frame, heads);
  for (const CompareRow& row : rows)
    if (in_sight(moved(row.area, corner), canvas)) draw_row(frame, figures, row, moved(row.area, corner));
  draw_heads_of_columns(frame, canvas, heads, alone);
}

}  // namespace

void draw_compare(Frame& frame, Rect canvas) {
  follow_check_file(frame);
  if (shows_check(frame)) return draw_check(frame, canvas);
  canvas.min.y += draw_notice(frame, canvas);
  const CompareFigures* figures = compared_figures(frame);
  if (figures) {
    if (differences_from_a(frame.draft, compared_address(frame.draft)).empty())
      canvas.min.y += draw_no_difference(frame, canvas);
    canvas.min.y += draw_head_chooser(frame, *figures, canvas);
  }
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  if (figures) draw_rows(frame, *figures, canvas, content);
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
}

}  // namespace attn
