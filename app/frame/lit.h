// What is lit of a canvas, while the rest is dimmed; and which cells carry ①, ②, … A lesson says so, and
// whatever draws stages, cells and labels asks here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/frame/frame.h"
#include "core/lesson/lesson.h"

namespace attn {

// In view.of<Lit>(). Stages are those of the graph on screen.
struct Lit {
  std::vector<LessonCells> cells = {};    // empty: everything is at full strength
  std::vector<LessonMark> marks = {};     // outlined, each with its number
  std::vector<LessonCells> pointed = {};  // outlined: what a number is made from that the pointer is on
  std::string keyboard = {};              // the stage whose matrix takes the keyboard in the next frame
  bool holds_keyboard = false;            // a matrix took it so, and gives it back with the selection
};

inline constexpr float kUnlit = 0.3f;  // how much is left of what is dimmed

// Whether a cell is lit, one of this row, or any of the stage.
bool lights(const Lit& lit, std::string_view stage, Cell cell);
bool lights_row(const Lit& lit, std::string_view stage, std::size_t head, std::size_t row);
bool lights(const Lit& lit, std::string_view stage);
// Some cells of the stage are lit, and others are not.
bool lights_in_part(const Lit& lit, std::string_view stage);

// Whether all of these cells are among the others.
bool is_within(const LessonCells& cells, const LessonCells& others);
// The mark that these cells are among; null: there is none.
const LessonMark* mark_of(const Lit& lit, const std::vector<LessonCells>& cells);
// Of the first four each has a hue of its own; its number tells it too.
ImU32 mark_colour(const Theme& theme, std::size_t number);
// A number in a circle of that radius, in its colour; pixels.
void draw_mark(ImDrawList& list, const Theme& theme, ImVec2 centre, float radius, std::size_t number);

// The lit cells of the results' stages one by one, from the first stage to the last, row by row: at most
// `most`.
std::vector<Spot> lit_cells(const Lit& lit, const Graph& graph, std::size_t most);

}  // namespace attn
