// Which cells are lit, and the marks that they carry.
#include "app/frame/lit.h"

#include <algorithm>
#include <array>

#include "app/theme/toolkit.h"
#include "core/lesson/live_numbers.h"

namespace attn {
namespace {

// Where none is named, all are.
bool covers(const std::optional<std::size_t>& all, const std::optional<std::size_t>& some) {
  return !all || all == some;
}

}  // namespace

bool lights(const Lit& lit, std::string_view stage, Cell cell) {
  return std::ranges::any_of(lit.cells, [&](const LessonCells& c) { return contains(c, stage, cell); });
}

bool lights_row(const Lit& lit, std::string_view stage, std::size_t head, std::size_t row) {
  return std::ranges::any_of(lit.cells, [&](const LessonCells& c) {
    return c.stage == stage && covers(c.head, head) && covers(c.row, row);
  });
}

bool lights(const Lit& lit, std::string_view stage) {
  return std::ranges::count(lit.cells, stage, &LessonCells::stage) > 0;
}

bool lights_in_part(const Lit& lit, std::string_view stage) {
  const auto whole = [&](const LessonCells& c) { return c.stage == stage && !c.head && !c.row && !c.column; };
  return lights(lit, stage) && std::ranges::none_of(lit.cells, whole);
}

bool is_within(const LessonCells& cells, const LessonCells& others) {
  const bool heads = !cells.head || covers(others.head, cells.head);  // one head is all there may be
  return cells.stage == others.stage && heads && covers(others.row, cells.row) &&
         covers(others.column, cells.column);
}

const LessonMark* mark_of(const Lit& lit, const std::vector<LessonCells>& cells) {
  if (cells.empty()) return nullptr;
  for (const LessonMark& mark : lit.marks)
    if (std::ranges::all_of(cells, [&](const LessonCells& c) { return is_within(c, mark.at); })) return &mark;
  return nullptr;
}

ImU32 mark_colour(const Theme& theme, std::size_t number) {
  const std::array colours{theme.key, theme.accent, theme.output, role_colour(theme, Role::weights)};
  return colours[(number + colours.size() - 1) % colours.size()];
}

void draw_mark(ImDrawList& list, const Theme& theme, ImVec2 centre, float radius, std::size_t number) {
  const ImU32 colour = mark_colour(theme, number);
  list.AddCircleFilled(centre, radius, colour);
  const ImFont* font = theme.fonts.small;
  const std::string digits = std::to_string(number);
  const ImVec2 size = font->CalcTextSizeA(font_size(font), FLT_MAX, 0, digits.c_str());
  list.AddText(font, font_size(font), {centre.x - size.x / 2, centre.y - size.y / 2}, ink_on(colour),
               digits.c_str());
}

std::vector<Spot> lit_cells(const Lit& lit, const Graph& graph, std::size_t most) {
  std::vector<Spot> found;
  for (const Stage& stage : graph.stages) {
    if (!lights(lit, stage.id)) continue;
    for (std::size_t i = 0; i < stage.shape.size() && found.size() < most; ++i)
      if (const Cell cell = cell_at(stage.shape, i); lights(lit, stage.id, cell))
        found.push_back({stage.id, cell});
  }
  return found;
}

}  // namespace attn
