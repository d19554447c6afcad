// The rows of the canvas that compares: a stage each, folded to a line or open, and where they lie. Private
// to app/workspaces/compare.
#pragma once

#include <array>
#include <vector>

#include "app/workspaces/compare/scene.h"

namespace attn {

inline constexpr float kColumnHeads = 34;  // points, above all rows
inline constexpr float kRowPadding = 8;    // around an open row
inline constexpr std::size_t kColumns = 3;

using Columns = std::array<std::optional<StageIndex>, kColumns>;

struct CompareRow {
  std::size_t place = 0;  // among the figures' stages
  ComparedStage compared = {};
  bool off = false;                       // it differs
  bool first = false;                     // the first that does, of those on screen
  bool open = false;                      // else a line
  ImVec2 cell = {};                       // points from one cell to the next, where it is open
  std::optional<std::size_t> alone = {};  // the column that is, where three have no room for numbers
  Rect area = {};                         // from the content's top left corner

  Columns stages() const { return {compared.a, compared.b, compared.difference}; }
  StageIndex own() const { return compared.either(); }
  bool has(StageIndex stage) const {
    return stage == compared.b || stage == compared.difference || stage == own();
  }
};

// Of a canvas of that size, in pixels. The first that differs is as large as it may be with the next one in
// sight; what follows is open as long as it fits. Where little fits, the row of the step or of the first
// difference is alone.
std::vector<CompareRow> compare_rows(Frame& frame, const CompareFigures& figures, ImVec2 canvas);

// The part of a row that a column has; none where another is alone.
std::optional<Rect> place_of_column(const Theme& theme, const CompareRow& row, Rect area, std::size_t column);
// … side by side. Where columns are narrow the rows are named in the first one alone,
// which is wider then.
Rect column_of(const Theme& theme, Rect row, std::size_t column);
bool names_rows(const Theme& theme, float row_width, std::size_t column);

}  // namespace attn
