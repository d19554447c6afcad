// The table of the roads: what each keeps, how far it is from exact, and what it takes.
#include "app/workspaces/efficient/roads.h"

#include <algorithm>
#include <cmath>

#include "app/plot/short_numbers.h"
#include "app/render/textures.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/workspaces/efficient/road_cells.h"
#include "core/efficient/road_rules.h"

namespace attn {
namespace {

constexpr float kRoadHead = 20, kMostRoadLine = 28, kThumbnail = 24, kRoadName = 92;
constexpr float kLeastSettings = 60;

struct RoadTable {
  EfficientScene& scene;
  RoadsStudy study;
  Rect area;
  float line = 0;      // pixels of a row
  float left = 0;      // of the first column of numbers
  float settings = 0;  // pixels of the settings; 0: no room
  std::vector<RoadRow> rows = {};

  const Theme& theme() const { return scene.frame.theme; }
  float right_of(std::size_t column) const {
    float x = left;
    for (std::size_t c = 0; c <= column; ++c) x += theme().px(kRoadCells[c].width);
    return x;
  }
};

void put_road_words(const ImFont* font, Rect box, const std::string& words, ImU32 colour, float align) {
  const float x = box.min.x + align * (box.width() - text_width(font, words));
  draw_text(*ImGui::GetWindowDrawList(), font, {x, box.min.y + (box.height() - font_size(font)) / 2}, colour,
            words);
}

void draw_thumbnail(const RoadTable& table, const RoadRow& row, Rect box) {
  const Theme& theme = table.theme();
  const RoadFound* found = found_road(table.study, row.road);
  if (!found || found->pattern.empty()) {
    ImGui::GetWindowDrawList()->AddRect(box.min, box.max, theme.border);
    return;
  }
  const PatternPicture picture = pattern_picture(theme, row.road, *found);
  table.scene.frame.textures.draw(
      *ImGui::GetWindowDrawList(), box.min, box.max,
      {.values = picture.values, .mask = {}, .shape = picture.values.shape(), .map = picture.map}, theme);
}

void draw_road_heads(const RoadTable& table) {
  const Theme& theme = table.theme();
  const ImFont* font = theme.fonts.small;
  EfficientView& view = table.scene.view();
  const float y = table.area.min.y + theme.px(kTitleHeight);
  const auto head = [&](RoadColumn column, Rect box, const std::string& title, float align) {
    const bool sorted = view.sorted_by == column && column != RoadColumn::order;
    const std::string words = sorted ? title + (view.descending ? " ↓" : " ↑") : title;
    put_road_words(font, box, words, sorted ? theme.accent : theme.faint, align);
    const std::string id = "sort " + title;
    if (!press_area(theme, id.c_str(), box,
                    column == RoadColumn::order ? "click: in their usual order"
                                                : "click: sort by " + title + "; again: the other way round"))
      return;
    view.descending = view.sorted_by == column && column != RoadColumn::order && !view.descending;
    view.sorted_by = column;
  };
  head(RoadColumn::order,
       {{table.area.min.x + theme.px(kThumbnail + 10), y},
        {table.area.min.x + theme.px(kThumbnail + kRoadName), y + theme.px(kRoadHead)}},
       "road", 0);
  for (std::size_t c = 0; c < kRoadCells.size(); ++c)
    head(kRoadCells[c].column,
         {{table.right_of(c) - theme.px(kRoadCells[c].width - 4), y},
          {table.right_of(c), y + theme.px(kRoadHead)}},
         std::string(efficient_view_field::sorted_by
                         .words[efficient_view_field::sorted_by.index_of(kRoadCells[c].column)]
                         .title),
         1);
}

void draw_road_settings(const RoadTable& table, const RoadRow& row, Rect box) {
  if (box.width() <= 0) return;
  const Theme& theme = table.theme();
  const ImFont* font = theme.fonts.small;
  const bool fits = text_width(font, row.settings) <= box.width() || row.shorter.empty();
  put_road_words(font, box, elided(font, fits ? row.settings : row.shorter, box.width()),
                 row.undefined ? theme.warning : theme.dim, 0);
}

// Of the number under the pointer, else of the road.
std::string about_road_row(const RoadTable& table, const RoadRow& row) {
  if (!row.obstacle.empty()) return row.name + " cannot be: " + row.obstacle;
  const float x = ImGui::GetMousePos().x;
  for (std::size_t c = 0; c < kRoadCells.size(); ++c)
    if (x >= table.right_of(c) - table.theme().px(kRoadCells[c].width) && x < table.right_of(c))
      return about_cell(table.scene, row, kRoadCells[c].column);
  return row.name + ": " + row.settings + "\nclick: its map, and what it is set by";
}

void draw_road_row(const RoadTable& table, const RoadRow& row, Rect line) {
  const Theme& theme = table.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool shown = row.road == table.scene.view().road;
  if (shown) {
    list.AddRectFilled(line.min, line.max, theme.accent_soft, theme.px(4));
    list.AddRect(line.min, line.max, theme.accent, theme.px(4));
  }
  const std::string id = "road " + row.name;
  if (press_area(theme, id.c_str(), line, about_road_row(table, row))) table.scene.view().road = row.road;
  const float side = std::min(theme.px(kThumbnail), line.height() - theme.px(3)), margin = theme.px(4);
  const float middle = (line.min.y + line.max.y) / 2;
  draw_thumbnail(table, row,
                 {{line.min.x + margin, middle - side / 2}, {line.min.x + margin + side, middle + side / 2}});
  const float name = line.min.x + theme.px(kThumbnail + 10), words = name + theme.px(kRoadName - 10);
  put_road_words(theme.fonts.body, {{name, line.min.y}, {words, line.max.y}},
                 elided(theme.fonts.body, row.name, words - name),
                 row.obstacle.empty() ? theme.text : theme.dim, 0);
  if (!row.obstacle.empty()) {
    put_road_words(theme.fonts.small, {{words, line.min.y}, line.max},
                   elided(theme.fonts.small, row.obstacle, line.max.x - words - theme.px(4)), theme.warning,
                   0);
    return;
  }
  draw_road_settings(table, row, {{words, line.min.y}, {words + table.settings, line.max.y}});
  for (std::size_t c = 0; c < kRoadCells.size(); ++c) {
    const RoadCell cell = row.found ? row.cells[c] : RoadCell{"…", theme.faint};
    const Rect box{{table.right_of(c) - theme.px(kRoadCells[c].width - 4), line.min.y},
                   {table.right_of(c), line.max.y}};
    put_road_words(theme.fonts.body, box, cell.text,
                   table.study.stale ? with_alpha(cell.colour, kLagging) : cell.colour, 1);
  }
}

}  // namespace

void draw_roads(EfficientScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  RoadTable table{.scene = scene, .study = study_roads(scene), .area = area};
  float numbers = 0;
  for (const RoadCellKind& kind : kRoadCells) numbers += theme.px(kind.width);
  table.rows = road_rows(scene, table.study);
  table.left = area.max.x - numbers - theme.px(4);
  const float names = area.min.x + theme.px(kThumbnail + kRoadName);
  table.settings = table.left - names < theme.px(kLeastSettings) ? 0 : table.left - names;
  const std::string at = "measured at n " + grouped(scene.spec.measured_tokens);
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "all roads",
             {{"the layer's own input", true}, {at}, {"reach: layers until all pairs are joined"}},
             area.width());
  ImGui::PushID("roads");
  draw_road_heads(table);
  const float top = area.min.y + theme.px(kTitleHeight + kRoadHead);
  table.line = std::min(theme.px(kMostRoadLine),
                        (area.max.y - top) / static_cast<float>(std::max<std::size_t>(1, table.rows.size())));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const float y = top + static_cast<float>(i) * table.line;
    draw_road_row(table, table.rows[i], {{area.min.x, y}, {area.max.x, y + table.line}});
  }
  ImGui::PopID();
}

}  // namespace attn
