// The points as a table: numbers to type, and a width for each.
#include <algorithm>

#include "app/fields/fields.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/kernels/scene.h"
#include "core/kernels/fields.h"

namespace attn {
namespace {

constexpr float kPointsHead = 24, kLine = 28, kNumber = 46, kCell = 96;
constexpr std::size_t kMostValues = 4;  // of a point that have room
constexpr double kLeastFactor = 1e-3, kMostFactor = 1e3;

struct TableRow {
  KernelsScene& scene;
  const Tensor& points;
  std::size_t row;
  float x, y;

  // A number of the point; what was typed.
  std::optional<double> number(const std::string& name, const NumberBox& box, const std::string& says) {
    const Theme& theme = scene.frame.theme;
    const Column cell{x, x + theme.px(kCell)};
    ImGui::SetCursorScreenPos({x, y});
    x += theme.px(kCell + kTableGap);
    const std::string id = "kernels.point " + std::to_string(row) + " " + name;
    const auto wanted = number_row(scene.frame, cell, {id, "", says}, box);
    refusal(scene.frame, {x, x + theme.px(3 * kCell)}, id);
    return wanted;
  }
};

// Sets one number of the document's points, whatever was drawn until now.
void set_cell(KernelsSpec& spec, std::size_t row, std::size_t column, double value) {
  own_points(spec);
  std::vector<float> values(spec.points.values().begin(), spec.points.values().end());
  values[row * spec.points.columns() + column] = static_cast<float>(value);
  spec.points = Tensor(spec.points.shape(), std::move(values));
}

void draw_row(TableRow line) {
  KernelsScene& scene = line.scene;
  const Theme& theme = scene.frame.theme;
  KernelsSpec& spec = scene.frame.draft.kernels;
  const bool selected = scene.view().selected == line.row;
  const ImFont* font = theme.fonts.body;
  ImGui::SetCursorScreenPos({line.x, line.y});
  ImGui::PushID(static_cast<int>(line.row));
  bool pressed = ImGui::InvisibleButton("row", {theme.px(kNumber - 6), theme.px(kLine - 4)});
  pressed = pressed_by_enter() || pressed;
  draw_focus_ring(theme, theme.px(4));
  if (wants_tooltip()) show_tooltip("select the point: it is ringed in the plot");
  if (pressed) scene.view().selected = line.row;
  draw_text(*ImGui::GetWindowDrawList(), font,
            {line.x + theme.px(4), line.y + (theme.px(kLine - 4) - font_size(font)) / 2},
            selected ? theme.accent : theme.dim, std::to_string(line.row));
  line.x += theme.px(kNumber);
  const std::size_t columns = std::min(line.points.columns(), kMostValues + 1);
  for (std::size_t column = 0; column < columns; ++column) {
    const bool is_x = column == 0;
    const std::string name = is_x ? "x" : columns == 2 ? "y" : "y" + std::to_string(column - 1);
    const double value = static_cast<double>(line.points[{0, line.row, column}]);
    if (const auto wanted =
            line.number(name, {.value = value, .per_pixel = 0.01}, is_x ? "where it lies" : "its value"))
      set_cell(spec, line.row, column, *wanted);
  }
  const double factor =
      line.row < spec.key_widths.rows() ? static_cast<double>(spec.key_widths.values()[line.row]) : 1;
  if (const auto wanted = line.number("width",
                                      {.value = factor,
                                       .least = kLeastFactor,
                                       .most = kMostFactor,
                                       .per_pixel = 0.005,
                                       .takes = "from 0.001 to 1000"},
                                      "what σ is multiplied by for this point"))
    set_key_width(spec, line.row, static_cast<float>(*wanted));
  ImGui::SetCursorScreenPos({line.x, line.y});
  if (draw_chip(theme, {.id = "remove", .text = "×", .tooltip = "remove the point"})) {
    remove_point(spec, line.row);
    scene.view().selected.reset();
  }
  ImGui::PopID();
}

void draw_head(const KernelsScene& scene, Rect area, std::size_t columns) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  float x = area.min.x;
  const auto add = [&](const std::string& word, float width) {
    draw_text(*ImGui::GetWindowDrawList(), font, {x + theme.px(4), area.min.y + theme.px(kPointsHead)},
              theme.dim, word);
    x += theme.px(width);
  };
  add("point", kNumber);
  for (std::size_t column = 0; column < columns; ++column)
    add(column == 0 ? "x" : columns == 2 ? "y" : "y" + std::to_string(column - 1), kCell + kTableGap);
  add("σ ×", kCell + kTableGap);
}

void draw_buttons(KernelsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const float words = text_width(theme.fonts.bold, "points") +
                      text_width(theme.fonts.small, "typed, dragged or stepped") + theme.px(40);
  ImGui::SetCursorScreenPos({area.min.x + words, area.min.y - theme.px(4)});
  ChipRow row(theme, area.min.x + words, area.max.x);
  if (row.add({.id = "add point", .text = "add at q", .tooltip = "a point at the query, on the estimate"}))
    scene.frame.commands.emplace_back("kernels.add_point");
}

}  // namespace

void draw_points_table(KernelsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const Tensor points = shown_points(scene);
  const std::size_t columns = points.empty() ? 2 : std::min(points.columns(), kMostValues + 1);
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "points",
             {{"typed, dragged or stepped"}}, area.width());
  draw_buttons(scene, area);
  if (points.rows() == 0) return;
  draw_head(scene, area, columns);
  const float top = area.min.y + theme.px(kPointsHead + 18);
  const float width =
      std::min(area.width(), theme.px(kNumber + (kCell + kTableGap) * static_cast<float>(columns + 1) + 60));
  ImGui::SetCursorScreenPos({area.min.x, top});
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, theme.px(8));
  ImGui::BeginChild("points", {width, area.max.y - top}, false,
                    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_HorizontalScrollbar | kFocusableChild);
  ImGui::PopStyleVar();
  begin_tab_stops();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(points.rows()), theme.px(kLine));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_row({scene, points, static_cast<std::size_t>(i), origin.x,
                origin.y + theme.px(kLine) * static_cast<float>(i)});
  end_tab_stops();
  ImGui::SetCursorScreenPos({origin.x, origin.y + theme.px(kLine) * static_cast<float>(points.rows())});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

}  // namespace attn
