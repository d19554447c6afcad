// The row that is followed: one line a tile, with what is kept of the row and how far that is from exact.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"
#include "app/workspaces/efficient/flash.h"

namespace attn {
namespace {

constexpr float kLineOfTile = 23, kHeadOfTiles = 20, kRoomyTable = 640, kCellHeight = 15, kLeastFeature = 2,
                kToCome = 0.35f;

enum class TileColumn { tile, keys, largest, maximum, factor, sum, l, outputs, distance };

struct ColumnLook {
  TileColumn column;
  float share;         // of the width, beside those of the others
  bool spare = false;  // left out where there is little room
};
constexpr std::array kTileColumns{ColumnLook{TileColumn::tile, 34},    ColumnLook{TileColumn::keys, 60, true},
                                  ColumnLook{TileColumn::largest, 52}, ColumnLook{TileColumn::maximum, 46},
                                  ColumnLook{TileColumn::factor, 58},  ColumnLook{TileColumn::sum, 72, true},
                                  ColumnLook{TileColumn::l, 60},       ColumnLook{TileColumn::outputs, 118},
                                  ColumnLook{TileColumn::distance, 72}};

// Where the columns lie in a line, and what a line is written with.
struct TileTable {
  EfficientScene& scene;
  const FlashShown& shown;
  const ImFont* font = nullptr;
  float left = 0, right = 0;
  double range = 0;                                       // of the colours of outputs
  double bound = 0;                                       // of distances that are rounding
  std::vector<std::pair<TileColumn, Rect>> columns = {};  // x alone

  Rect place(TileColumn column) const {
    for (const auto& [each, at] : columns)
      if (each == column) return at;
    return {};
  }
  bool has(TileColumn column) const { return place(column).width() > 0; }
};

void lay_columns(TileTable& table) {
  const Theme& theme = table.scene.frame.theme;
  const bool roomy = table.right - table.left >= theme.px(kRoomyTable);
  table.font = roomy ? theme.fonts.body : theme.fonts.small;
  float all = 0, x = table.left + theme.px(8);
  for (const ColumnLook& look : kTileColumns)
    if (roomy || !look.spare) all += look.share;
  const float pitch = (table.right - theme.px(8) - x) / all;
  for (const ColumnLook& look : kTileColumns) {
    if (!roomy && look.spare) continue;
    table.columns.push_back({look.column, {{x, 0}, {x + pitch * look.share, 0}}});
    x += pitch * look.share;
  }
}

double largest_output(const FlashRowPlay& play) {
  double most = 1e-30;
  const auto add = [&](double output) {
    if (std::isfinite(output)) most = std::max(most, std::abs(output));
  };
  for (const double output : play.exact) add(output);
  for (const FlashLine& line : play.lines)
    for (std::size_t f = 0; f < play.exact.size(); ++f) add(line.output(f));
  return most;
}

std::size_t features_shown(const TileTable& table) {
  const float room = table.place(TileColumn::outputs).width() - table.scene.frame.theme.px(12);
  const auto most =
      static_cast<std::size_t>(std::max(1.0f, room / table.scene.frame.theme.px(kLeastFeature)));
  return std::min(table.shown.play.exact.size(), most);
}

Rect feature_cells(const TileTable& table, Rect line) {
  const Theme& theme = table.scene.frame.theme;
  const Rect at = table.place(TileColumn::outputs);
  const float middle = (line.min.y + line.max.y) / 2, half = theme.px(kCellHeight) / 2;
  return {{at.min.x + theme.px(12), middle - half}, {at.max.x, middle + half}};
}

struct FeatureLook {
  float alpha = 1;
  bool marked = false;  // the feature that the inspector has opened
};

void draw_features(const TileTable& table, Rect line, const std::function<double(std::size_t)>& output,
                   FeatureLook look) {
  const Theme& theme = table.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect cells = feature_cells(table, line);
  const std::size_t count = features_shown(table);
  const ColourMap map{MapKind::diverging, static_cast<float>(table.range)};
  const float pitch = cells.width() / static_cast<float>(count);
  for (std::size_t f = 0; f < count; ++f) {
    const double value = output(f);
    const Rect cell{{cells.min.x + pitch * static_cast<float>(f), cells.min.y},
                    {cells.min.x + pitch * static_cast<float>(f + 1), cells.max.y}};
    const ImU32 colour =
        std::isfinite(value) ? map_colour(theme, map, static_cast<float>(value)) : theme.masked;
    list.AddRectFilled(cell.min, cell.max, with_alpha(colour, look.alpha));
    if (look.marked && f == table.scene.view().feature)
      list.AddRect(cell.min, cell.max, theme.outline, 0, 0, theme.px(1.2f));
  }
}

void write_right(const TileTable& table, TileColumn column, Rect line, const std::string& text,
                 ImU32 colour) {
  if (!table.has(column)) return;
  const Theme& theme = table.scene.frame.theme;
  const Rect at = table.place(column);
  const float room = at.width() - theme.px(4);
  const ImFont* font = text_width(table.font, text) <= room ? table.font : theme.fonts.small;
  const std::string fits = elided(font, text, room);
  draw_text(*ImGui::GetWindowDrawList(), font,
            {at.max.x - text_width(font, fits), (line.min.y + line.max.y - font_size(font)) / 2}, colour,
            fits);
}

void draw_tile_heads(TileTable table, Rect line) {
  const Frame& frame = table.scene.frame;
  const Theme& theme = frame.theme;
  table.font = theme.fonts.small;
  const auto head = [&](TileColumn column, const std::string& text, std::initializer_list<TilePart> of) {
    write_right(table, column, line, text, tile_part_ink(frame, of, theme.faint));
  };
  using enum TileColumn;
  draw_text(*ImGui::GetWindowDrawList(), table.font,
            {table.place(tile).min.x, (line.min.y + line.max.y - font_size(table.font)) / 2}, theme.faint,
            "tile");
  head(keys, "keys", {});
  head(largest, "max S", {TilePart::scores, TilePart::maximum});
  head(maximum, "m", {TilePart::maximum, TilePart::next});
  head(factor, "e^(m−m′)", {TilePart::rescale});
  head(sum, "Σ e^(S−m′)", {TilePart::add});
  head(l, "l", {TilePart::add, TilePart::next, TilePart::divide});
  const std::string features = "o ÷ l, " + std::to_string(table.shown.play.exact.size()) + " features";
  const Rect cells = feature_cells(table, line);
  draw_text(*ImGui::GetWindowDrawList(), table.font,
            {cells.min.x, (line.min.y + line.max.y - font_size(table.font)) / 2},
            tile_part_ink(frame, {TilePart::add, TilePart::next, TilePart::divide}, theme.faint),
            elided(table.font, features, cells.width()));
  head(distance, "from exact", {});
}

std::string about_line(const FlashLine& line, const FlashRowPlay& play) {
  std::string words = "tile " + std::to_string(line.tile.row) + ", " + std::to_string(line.tile.column) +
                      ": m " + flash_number(line.before, 4) + " → " + flash_number(line.maximum, 4) + ", l " +
                      flash_number(line.l, 4) + " → " + flash_number(line.l_after, 4);
  if (play.lines.back().tile == line.tile) words += "\nthe last of the row";
  return words + "\nclick: computed now; on a cell of o: opens that feature";
}

// Jumps to the tile; on a cell of the output that feature is opened.
void press_line(const TileTable& table, Rect line, const FlashLine& of) {
  EfficientScene& scene = table.scene;
  const std::string id = "tile " + std::to_string(of.tile.column);
  if (!press_area(scene.frame.theme, id.c_str(), line, about_line(of, table.shown.play))) return;
  go_to_tile(scene.results, scene.frame.view, table.shown.tiling, of.tile);
  const Rect cells = feature_cells(table, line);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsMouseReleased(0) || mouse.x < cells.min.x || mouse.x >= cells.max.x) return;
  const float share = (mouse.x - cells.min.x) / cells.width();
  scene.view().feature = static_cast<std::size_t>(share * static_cast<float>(features_shown(table)));
}

void draw_line(const TileTable& table, Rect line, std::size_t i) {
  using enum TileColumn;
  const Theme& theme = table.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const FlashLine& of = table.shown.play.lines[i];
  const std::size_t now = table.shown.line().value_or(0);
  press_line(table, line, of);
  if (i == now) {
    list.AddRectFilled(line.min, line.max, theme.accent_soft, theme.px(4));
    list.AddRect(line.min, line.max, theme.accent, theme.px(4));
  }
  const ImU32 ink = i > now ? theme.faint : theme.text;
  const auto words = [&](TileColumn column, const std::string& text, ImU32 colour) {
    write_right(table, column, line, text, colour);
  };
  draw_text(list, table.font,
            {table.place(tile).min.x, (line.min.y + line.max.y - font_size(table.font)) / 2}, ink,
            std::to_string(of.tile.row) + ", " + std::to_string(of.tile.column));
  words(keys, keys_text(of.keys), ink);
  words(largest, flash_number(of.largest, 3), ink);
  words(maximum, flash_number(of.maximum, 3), ink);
  words(factor, flash_factor(of.factor, 4), i <= now && of.factor < 1 ? theme.warning : ink);
  words(sum, flash_number(of.sum, 4), ink);
  words(l, flash_number(of.l_after, 4), ink);
  draw_features(table, line, [&](std::size_t f) { return of.output(f); }, {i > now ? kToCome : 1, i == now});
  const bool exact = of.from_exact <= table.bound;
  words(distance, flash_distance(of.from_exact, table.bound), exact ? theme.good : ink);
}

// As many as have room; more scroll, and the present one is kept in sight.
void draw_lines(const TileTable& table, Rect area) {
  const Theme& theme = table.scene.frame.theme;
  const std::size_t count = table.shown.play.lines.size();
  const float pitch = theme.px(kLineOfTile), height = static_cast<float>(count) * pitch;
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, theme.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(
      "lines", {area.width(), area.height()}, false,
      ImGuiWindowFlags_NoBackground | kFocusableChild |
          (height > area.height() ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoScrollWithMouse));
  ImGui::PopStyleVar(2);
  const float now = static_cast<float>(table.shown.line().value_or(0)) * pitch;
  const ImGuiID moved = ImGui::GetID("now");
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  if (kept.GetFloat(moved, -1) != now) {
    kept.SetFloat(moved, now);
    if (now < ImGui::GetScrollY()) ImGui::SetScrollY(now);
    if (now + pitch > ImGui::GetScrollY() + area.height()) ImGui::SetScrollY(now + pitch - area.height());
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < count; ++i) {
    const float y = at.y + static_cast<float>(i) * pitch;
    if (y + pitch < area.min.y || y > area.max.y) continue;
    draw_line(table, {{table.left, y}, {table.right, y + pitch}}, i);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  ImGui::Dummy({1, 0});
  ImGui::EndChild();
}

std::string all_rows_words(const FlashAllRows& all, std::size_t queries) {
  const std::string count = std::to_string(queries);
  if (!all.done) return std::to_string(all.rows.rows) + " of " + count + " rows…";
  return "all " + count + " rows: " +
         (all.rows.not_finite > 0 ? std::to_string(all.rows.not_finite) + " NaN or ∞"
                                  : flash_distance(all.rows.in_double, all.bound));
}

void draw_exact(const TileTable& table, Rect line) {
  EfficientScene& scene = table.scene;
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const FlashRowPlay& play = table.shown.play;
  list.AddRectFilled({table.left, line.min.y}, {table.right, line.min.y + 1}, theme.border);
  const FlashAllRows all = flash_all_rows(scene, table.shown);
  const float y = (line.min.y + line.max.y - font_size(table.font)) / 2;
  const float room = table.place(TileColumn::l).min.x - table.left;
  const std::string rows = all_rows_words(all, table.shown.head.queries());
  const float wide = text_width(table.font, rows), from = table.left + theme.px(8);
  const std::string whole = play.empty() ? kNoKeyLeft : "exact, from the whole row";
  const bool fits = text_width(table.font, whole) <= room - wide - theme.px(28);
  const std::string exact = fits ? whole : play.empty() ? "no key left" : "exact";
  draw_text(list, table.font, {from, y}, play.empty() ? theme.warning : theme.dim, exact);
  const float x = from + text_width(table.font, exact) + theme.px(14);
  const bool faults = all.rows.not_finite > 0 || (all.done && !all.holds());
  const Rect press{{x, line.min.y}, {x + wide, line.max.y}};
  if (press_area(theme, "all rows", press,
                 "the largest distance of flash from full attention in double, of all rows; click: the row "
                 "where it is"))
    follow_row(scene, all.rows.worst);
  draw_text(list, table.font, {x, y},
            all.stale || !all.done ? theme.dim
            : faults               ? theme.bad
                                   : theme.good,
            rows);
  write_right(table, TileColumn::l, line, flash_number(play.exact_l, 4), theme.text);
  draw_features(table, line, [&](std::size_t f) { return play.exact[f]; }, {.marked = true});
}

}  // namespace

void draw_row(EfficientScene& scene, Rect area) {
  const auto shown = flash_shown(scene);
  if (!shown) return;
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "row " + std::to_string(shown->row),
             {{"m running max"}, {"l running sum"}, {"o running output"}, {"factor on what came before"}},
             area.width());
  TileTable table{.scene = scene, .shown = *shown, .left = area.min.x, .right = area.max.x - 1};
  table.range = largest_output(shown->play);
  table.bound = rounding_of_tiles(shown->head, shown->tiling, 0x1p-52);
  lay_columns(table);
  const float heads = theme.px(kHeadOfTiles), pitch = theme.px(kLineOfTile);
  const float top = area.min.y + theme.px(kTitleHeight);
  ImGui::PushID("row");
  draw_tile_heads(table, {{area.min.x, top}, {area.max.x, top + heads}});
  const float wanted = pitch * static_cast<float>(shown->play.lines.size());
  const float room = std::max(pitch, area.max.y - top - heads - pitch - theme.px(4));
  const float bottom = top + heads + std::min(wanted, room);
  if (!shown->play.lines.empty()) draw_lines(table, {{area.min.x, top + heads}, {area.max.x, bottom}});
  draw_exact(table, {{area.min.x, bottom + theme.px(4)}, {area.max.x, bottom + theme.px(4) + pitch}});
  ImGui::PopID();
}

}  // namespace attn
