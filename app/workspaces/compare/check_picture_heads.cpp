// Which numbers each head reads where they are cut by memory, which head each number comes from where heads
// are merged so, which key/value head a head reads, and which numbers a key is made of: each number in the
// colour of who reads it, yours and ours.
#include <algorithm>
#include <functional>

#include "app/cells/cell_layout.h"
#include "app/inspector/inspector_model.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_picture.h"

namespace attn {
namespace {

constexpr float kOwnerRow = 22, kLeastOwnerRow = 4, kLabelledRow = 11, kOwnerLabels = 46, kLeastGrid = 5;
constexpr std::size_t kMostLegend = 8;

// Numbers in rows, each belonging to one of a few owners.
struct OwnerMap {
  std::size_t rows = 0, columns = 0;
  std::function<std::size_t(std::size_t row, std::size_t column)> owner;
  std::function<std::string(std::size_t row)> label;
  std::optional<HeadPlace> lit = {};  // the first of `lit_count` numbers in a row that are outlined
  std::size_t lit_count = 0;
  bool numbered = false;  // the owner stands in the cell
};

ImU32 owner_colour(const Theme& theme, std::size_t owner, std::size_t looked_at) {
  const ImU32 colour = series_colour(owner);
  return owner == looked_at ? colour : mix(colour, theme.canvas, 0.55f);
}

struct OwnerDrawing {
  const PictureScene& scene;
  const OwnerMap& map;
  Rect cells;
  PictureWindow rows;
  float row_height = 0;
  std::size_t looked_at = 0;

  float left(std::size_t column) const {
    return cells.min.x + cells.width() * static_cast<float>(column) / static_cast<float>(map.columns);
  }
  Rect place(std::size_t row, std::size_t from, std::size_t until) const {
    const float top = cells.min.y + row_height * static_cast<float>(row - rows.first);
    return {{left(from), top}, {left(until), top + row_height}};
  }
};

void draw_owner_row(const OwnerDrawing& d, std::size_t row) {
  const Theme& theme = d.scene.theme();
  const float gap = d.row_height >= theme.px(kOwnerRow / 2) ? theme.px(1) : 0;
  const bool grid = d.cells.width() / static_cast<float>(d.map.columns) >= theme.px(kLeastGrid);
  for (std::size_t from = 0, until = 0; from < d.map.columns; from = until) {
    const std::size_t owner = d.map.owner(row, from);
    until = from + 1;
    while (!grid && until < d.map.columns && d.map.owner(row, until) == owner) ++until;
    const Rect box = d.place(row, from, until);
    const ImU32 colour = owner_colour(theme, owner, d.looked_at);
    d.scene.list().AddRectFilled(box.min, {box.max.x - (grid ? gap : 0), box.max.y - gap}, colour);
    if (!d.map.numbered || !grid) continue;
    const std::string text = std::to_string(owner);
    const ImFont* font = theme.fonts.small;
    draw_text(
        d.scene.list(), font,
        {(box.min.x + box.max.x - text_width(font, text)) / 2, (box.min.y + box.max.y - font_size(font)) / 2},
        ink_on(colour), text);
  }
}

float highest_map(const PictureScene& scene, std::size_t rows) {
  return scene.theme().px(kOwnerRow) * static_cast<float>(rows);
}

void draw_owner_map(const PictureScene& scene, Rect half, const OwnerMap& map, std::size_t at,
                    std::size_t looked_at) {
  const Theme& theme = scene.theme();
  const float labels = map.label ? theme.px(kOwnerLabels) : 0;
  const auto most = static_cast<std::size_t>(std::max(1.0f, half.height() / theme.px(kLeastOwnerRow)));
  OwnerDrawing d{
      scene, map, {{half.min.x + labels, half.min.y}, half.max}, window_around(map.rows, most, at)};
  d.row_height = std::min(theme.px(kOwnerRow), half.height() / static_cast<float>(d.rows.count));
  d.looked_at = looked_at;
  const ImFont* font = theme.fonts.small;
  for (std::size_t row = d.rows.first; row < d.rows.first + d.rows.count; ++row) {
    draw_owner_row(d, row);
    if (!map.label || d.row_height < theme.px(kLabelledRow)) continue;
    const std::string label = elided(font, map.label(row), labels - theme.px(kLabelGap));
    const Rect box = d.place(row, 0, 1);
    draw_text(scene.list(), font,
              {d.cells.min.x - theme.px(kLabelGap) - text_width(font, label),
               box.min.y + (d.row_height - font_size(font)) / 2},
              theme.dim, label);
  }
  if (!map.lit || map.lit->row < d.rows.first || map.lit->row >= d.rows.first + d.rows.count) return;
  const Rect lit = d.place(map.lit->row, map.lit->column, map.lit->column + map.lit_count);
  scene.list().AddRect(lit.min, lit.max, theme.outline, theme.px(2), 0, theme.px(2));
}

// Squares with the names of the owners, as many as fit; what remains of the line. Where not all names fit,
// the word stands at the first square only.
Rect draw_legend(const PictureScene& scene, Rect line, const std::string& name, std::size_t count,
                 std::size_t looked_at, float room) {
  const Theme& theme = scene.theme();
  const ImFont* font = theme.fonts.small;
  const float side = theme.px(9), top = line.max.y - font_size(font) - theme.px(1);
  const std::size_t shown = std::min(count, kMostLegend);
  const auto text_of = [&](std::size_t i, bool named) {
    return named || i == 0 ? name + " " + std::to_string(i) : std::to_string(i);
  };
  const auto width_of = [&](const std::string& text) {
    return side + theme.px(kSignGap) + text_width(font, text) + theme.px(kMapGap);
  };
  float all_named = 0;
  for (std::size_t i = 0; i < shown; ++i) all_named += width_of(text_of(i, true));
  float x = line.min.x;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string text = text_of(i, all_named <= room);
    const float end = x + width_of(text);
    if (end > line.min.x + room) break;
    scene.list().AddRectFilled({x, top + theme.px(3)}, {x + side, top + theme.px(3) + side},
                               owner_colour(theme, i, looked_at), theme.px(2));
    draw_text(scene.list(), font, {x + side + theme.px(kSignGap), top}, theme.dim, text);
    x = end;
  }
  return {{x, line.min.y}, line.max};
}

// The words of the picture have the room that they need, the legend the rest.
void draw_owner_words(const PictureScene& scene, Rect line, const std::string& name, std::size_t count,
                      std::size_t looked_at, const std::string& words) {
  const float wanted = text_width(scene.theme().fonts.small, words) + scene.theme().px(kWideGap);
  draw_picture_words(scene, draw_legend(scene, line, name, count, looked_at, line.width() - wanted), words);
}

std::string features(std::size_t first, std::size_t count) {
  const std::string from = std::to_string(first);
  return count == 1 ? from : from + "…" + std::to_string(first + count - 1);
}

struct HeadCuts {
  HeadCut yours, ours;
  HeadShape shape;
};

OwnerMap cut_map(HeadCut cut, const HeadShape& shape, const Axis& rows, std::size_t head, std::size_t row) {
  return {.rows = shape.rows,
          .columns = shape.heads * shape.width,
          .owner = [=](std::size_t r, std::size_t c) { return head_of(cut, shape, r, c); },
          .label = [rows](std::size_t r) { return axis_label(rows, r); },
          .lit = place_of_head_row(cut, shape, head, std::min(row, shape.rows - 1)),
          .lit_count = shape.width};
}

void draw_cuts(const PictureScene& scene, const PictureHalves& halves, const HeadCuts& cuts, const Axis& rows,
               const char* part) {
  const std::size_t head = std::min(scene.cell.head, cuts.shape.heads - 1);
  const std::size_t row = std::min(scene.cell.row, cuts.shape.rows - 1);
  draw_owner_map(scene, halves.yours, cut_map(cuts.yours, cuts.shape, rows, head, row), row, head);
  draw_owner_map(scene, halves.ours, cut_map(cuts.ours, cuts.shape, rows, head, row), row, head);
  const auto words = [&](HeadCut cut) {
    const HeadPlace place = place_of_head_row(cut, cuts.shape, head, row);
    return inspector::quoted(rows, place.row) + " " + features(place.column, cuts.shape.width);
  };
  draw_owner_words(scene, halves.words, "head", cuts.shape.heads, head,
                   "head " + std::to_string(head) + ", row " + inspector::quoted(rows, row) + ": yours " +
                       part + " " + words(cuts.yours) + ", not " + words(cuts.ours));
}

void draw_groups(const PictureScene& scene, Rect area) {
  const std::size_t heads = scene.stage(scene.places().scores).shape.stack,
                    shared = scene.stage(scene.places().k).shape.stack;
  const PictureHalves halves =
      picture_halves(scene, area, "which key/value head each head reads", "yours  k.repeat(h ÷ g)",
                     "ours  k.repeat_interleave(h ÷ g)", highest_map(scene, 1));
  const std::size_t head = std::min(scene.cell.head, heads - 1);
  const auto reads = [&](HeadGroups groups, std::size_t h) {
    return groups == HeadGroups::tiled ? h % shared : h / (heads / shared);
  };
  const auto map = [&](HeadGroups groups) {
    return OwnerMap{.rows = 1,
                    .columns = heads,
                    .owner = [&reads, groups](std::size_t, std::size_t h) { return reads(groups, h); },
                    .label = {},
                    .lit = HeadPlace{0, head},
                    .lit_count = 1,
                    .numbered = true};
  };
  const HeadGroups yours = scene.tried.layer.head_groups, ours = scene.ours().head_groups;
  draw_owner_map(scene, halves.yours, map(yours), 0, reads(yours, head));
  draw_owner_map(scene, halves.ours, map(ours), 0, reads(ours, head));
  draw_owner_words(
      scene, halves.words, "key/value head", shared, reads(ours, head),
      "head " + std::to_string(head) + ": yours reads key/value head " + std::to_string(reads(yours, head)) +
          (reads(yours, head) == reads(ours, head) ? ", as ours"
                                                   : ", not " + std::to_string(reads(ours, head))));
}

// A key is a column of Kᵀ: the numbers of K in the colour of the key that reads them.
void draw_key_turn(const PictureScene& scene, Rect area) {
  const Stage& keys = scene.stage(scene.places().k);
  const std::size_t m = keys.shape.rows, d = keys.shape.columns;
  const PictureHalves halves =
      picture_halves(scene, area, "which numbers of k each key is made of", "yours  k.view(h, d_k, m)",
                     "ours  k.transpose(-2, -1)", highest_map(scene, m));
  const std::size_t key = std::min(scene.cell.column, m - 1);
  const auto owner = [=](KeyTurn turn, std::size_t row, std::size_t column) {
    return turn == KeyTurn::reshaped ? (row * d + column) % m : row;
  };
  const auto map = [&](KeyTurn turn) {
    return OwnerMap{.rows = m,
                    .columns = d,
                    .owner = [=](std::size_t r, std::size_t c) { return owner(turn, r, c); },
                    .label = [&](std::size_t r) { return axis_label(keys.rows, r); }};
  };
  draw_owner_map(scene, halves.yours, map(scene.tried.layer.key_turn), key, key);
  draw_owner_map(scene, halves.ours, map(scene.ours().key_turn), key, key);
  const std::string name = inspector::quoted(keys.rows, key);
  std::string words = "key " + name + ": yours is made of ";
  constexpr std::size_t kMostNamed = 3;
  for (std::size_t r = 0; r < std::min(d, kMostNamed); ++r) {
    const std::size_t at = r * m + key;  // of the numbers in the order of memory
    words += (r == 0 ? "" : ", ") + inspector::quoted(keys.rows, at / d) + " " + std::to_string(at % d);
  }
  draw_picture_words(scene, halves.words,
                     words + (d > kMostNamed ? " …" : "") + ", not of " + name + " " + features(0, d));
}

}  // namespace

std::size_t head_of(HeadCut cut, const HeadShape& shape, std::size_t row, std::size_t column) {
  if (cut == HeadCut::columns) return column / shape.width;
  return (row * shape.heads * shape.width + column) / (shape.rows * shape.width);
}

HeadPlace place_of_head_row(HeadCut cut, const HeadShape& shape, std::size_t head, std::size_t row) {
  if (cut == HeadCut::columns) return {row, head * shape.width};
  const std::size_t run = head * shape.rows + row;  // heads' rows follow each other in memory
  return {run / shape.heads, run % shape.heads * shape.width};
}

bool draws_heads(const PictureScene& scene) {
  const LayerSpec &yours = scene.tried.layer, &ours = scene.ours();
  return yours.head_split != ours.head_split || yours.head_merge != ours.head_merge ||
         yours.head_groups != ours.head_groups || yours.key_turn != ours.key_turn;
}

void draw_heads_picture(PictureScene& scene, Rect area) {
  const LayerSpec &yours = scene.tried.layer, &ours = scene.ours();
  if (yours.head_split != ours.head_split) {
    const Stage& q = scene.stage(scene.places().q);
    const HeadShape shape{q.shape.stack, q.shape.rows, q.shape.columns};
    return draw_cuts(
        scene,
        picture_halves(scene, area, "which numbers of q each head reads", "yours  q.view(h, n, d_k)",
                       "ours  q.view(n, h, d_k).transpose(0, 1)", highest_map(scene, shape.rows)),
        {yours.head_split, ours.head_split, shape}, q.rows, "holds");
  }
  if (yours.head_merge != ours.head_merge) {
    const Stage& out = scene.stage(scene.places().head_output);
    const HeadShape shape{out.shape.stack, out.shape.rows, out.shape.columns};
    return draw_cuts(
        scene,
        picture_halves(scene, area, "where each head’s output goes", "yours  o.view(n, h·d_v)",
                       "ours  o.transpose(0, 1).reshape(n, h·d_v)", highest_map(scene, shape.rows)),
        {yours.head_merge, ours.head_merge, shape}, out.rows, "goes to");
  }
  if (yours.head_groups != ours.head_groups) return draw_groups(scene, area);
  draw_key_turn(scene, area);
}

}  // namespace attn
