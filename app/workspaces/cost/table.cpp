// Every mechanism at the marker's n: operations, memory, and what they take.
#include <algorithm>

#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/workspaces/cost/scene.h"

namespace attn {
namespace {

constexpr float kCostHead = 20, kNumber = 78, kTableSwatch = 12;

struct CostCell {
  std::string head, text;
  ImU32 colour = 0;
  bool held = false;     // what a press opens
  bool presses = false;  // … if it does
};

// Of a point, or about, between two.
std::string measured_text(const CostScene& scene, const CostCurve& curve) {
  const auto time = measured_time(curve.points, static_cast<double>(scene.n()));
  if (!time) return "–";
  return (time->between ? "≈ " : "") + time_text(time->seconds);
}

std::vector<CostCell> cells_of(const CostScene& scene, const CostCurve& curve) {
  const Theme& theme = scene.frame.theme;
  const double count = static_cast<double>(operations(curve.at, CostPart::mixing));
  return {{"operations", short_count(count), theme.text, false, true},
          {"memory", short_bytes(static_cast<double>(curve.at.held.value())), theme.text, true, true},
          {"counted", scene.timed() ? time_text(count / scene.peak()) : "–", theme.dim},
          {"measured", measured_text(scene, curve), theme.text}};
}

void draw_words(float right, Rect line, const std::string& words, ImU32 colour, const ImFont* font) {
  const float y = (line.min.y + line.max.y - font_size(font)) / 2;
  draw_text(*ImGui::GetWindowDrawList(), font, {right - text_width(font, words), y}, colour, words);
}

void draw_row(CostScene& scene, const CostCurve& curve, Rect line, float names) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string title = mechanism_title(scene.study(), curve.kind);
  const float middle = (line.min.y + line.max.y) / 2, swatch = theme.px(kTableSwatch);
  list.AddRectFilled({line.min.x, middle - theme.px(2)}, {line.min.x + swatch, middle + theme.px(2)},
                     mechanism_colour(curve.kind), theme.px(2));
  const ImFont* font = theme.fonts.body;
  const bool opened = scene.view().opened.mechanism == curve.kind;
  draw_text(list, font, {line.min.x + swatch + theme.px(8), middle - font_size(font) / 2},
            opened ? theme.accent : theme.text, elided(font, title, names - swatch - theme.px(12)));
  float right = line.min.x + names;
  for (const CostCell& cell : cells_of(scene, curve)) {
    right += theme.px(kNumber);
    draw_words(right, line, cell.text, cell.colour, font);
    const std::string id = cell.head + " " + std::to_string(static_cast<int>(curve.kind));
    if (cell.presses &&
        press_area(theme, id.c_str(), {{right - theme.px(kNumber - 6), line.min.y}, {right, line.max.y}},
                   cell.head + " of " + title + ": open the arithmetic"))
      open_cost(scene.frame.view, {curve.kind, std::nullopt, cell.held});
  }
}

bool is_shown(const CostScene& scene, std::string_view subject) {
  return std::ranges::any_of(scene.memo.curves, [&](const CostCurve& curve) {
    return kMechanismWords[static_cast<std::size_t>(curve.kind)] == subject;
  });
}

// What the columns say, and why some places are empty.
std::string caption(const CostScene& scene) {
  if (!scene.timed()) return "no times yet: M measures this device, of this shape";
  std::string text = "counted: at the peak rate of this device; measured: the median, in float32";
  std::string none;
  for (const CostCurve& curve : scene.memo.curves)
    if (!why_not_measured(curve.kind).empty())
      none += (none.empty() ? "" : ", ") + std::string(kMechanismWords[static_cast<std::size_t>(curve.kind)]);
  for (const NotMeasured& out : scene.measured()->not_measured)
    if (out.n > 0 && out.n <= scene.n() && is_shown(scene, out.subject))
      text += "\n" + out.subject + " from n = " + grouped(out.n) + ": " + out.why;
  for (const CostCurve& curve : scene.memo.curves)
    if (const auto why = why_not_measured(curve.kind); !why.empty())
      return text + "\n" + none + ": " + std::string(why);
  return text;
}

}  // namespace

void draw_cost_table(CostScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "at n = " + grouped(scene.n()),
             {{"attention of one layer"}, {scene.study().backward ? "backward" : "forward"}}, area.width());
  if (scene.memo.curves.empty()) return;
  const std::vector<CostCell> cells = cells_of(scene, scene.memo.curves.front());
  const float names = area.width() - theme.px(kNumber) * static_cast<float>(cells.size());
  float y = area.min.y + theme.px(kTitleHeight), right = area.min.x + names;
  for (const CostCell& cell : cells) {
    right += theme.px(kNumber);
    draw_words(right, {{area.min.x, y}, {area.max.x, y + theme.px(kCostHead)}}, cell.head, theme.faint,
               theme.fonts.small);
  }
  y += theme.px(kCostHead);
  ImGui::PushID("costs at n");
  for (const CostCurve& curve : scene.memo.curves) {
    draw_row(scene, curve, {{area.min.x, y}, {area.max.x, y + theme.px(kTableLine)}}, names);
    y += theme.px(kTableLine);
  }
  ImGui::PopID();
  const ImFont* font = theme.fonts.small;
  draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, y + theme.px(4)}, theme.faint,
            wrapped(font, caption(scene), area.width()));
}

}  // namespace attn
