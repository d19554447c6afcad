// Titles of stages, and the labels of their rows and columns.
#include "app/lesson/row_words.h"

#include "app/cells/cell_layout.h"

namespace attn {

std::string row_words(const Graph& graph, const LessonCells& cells) {
  const auto index = graph.find(cells.stage);
  if (!index) return cells.stage;
  const Stage& stage = graph.stages[*index];
  const auto label = [](const Axis& axis, std::size_t place) { return "“" + axis_label(axis, place) + "”"; };
  std::string words = stage.title;
  if (cells.head && stage.shape.stack > 1) words += ", head " + std::to_string(*cells.head);
  if (cells.row && stage.shape.rows > 1) words += ", row " + label(stage.rows, *cells.row);
  if (cells.column && stage.shape.columns > 1) words += ", column " + label(stage.columns, *cells.column);
  return words;
}

}  // namespace attn
