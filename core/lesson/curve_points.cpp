// Points of curves, named by the cells that they are read from.
#include "core/lesson/curve_points.h"

#include <cmath>

#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

// Along the one side of these cells that has as many; empty: there is none.
std::vector<std::string> names_along(const LessonCells& cells, const Graph& graph, std::size_t count) {
  const auto index = graph.find(cells.stage);
  if (!index) return {};
  const Stage& stage = graph.stages[*index];
  struct Side {
    bool said;
    std::size_t size;
    const Labels* labels;
  };
  const Side sides[]{{cells.column.has_value(), stage.shape.columns, stage.columns.labels.get()},
                     {cells.row.has_value(), stage.shape.rows, stage.rows.labels.get()},
                     {cells.head.has_value(), stage.shape.stack, nullptr}};
  for (const Side& side : sides)
    if (!side.said && side.size == count) return filled_labels(side.labels ? *side.labels : Labels{}, count);
  return {};
}

}  // namespace

CurvePoints curve_points(const LessonExercise& exercise, const LiveNumbers& live) {
  const LessonFormula& formula = exercise.value;
  CurvePoints points{.values = evaluate(formula, live).values};
  const std::size_t count = points.values.size();
  if (count < 2 || count > kMostPoints)
    throw Error("line " + std::to_string(formula.line) + ": “" + formula.text + "” is " +
                std::to_string(count) + (count == 1 ? " number" : " numbers") + ": a curve has two to " +
                std::to_string(kMostPoints));
  if (!exercise.at.empty())
    for (const double value : evaluate(exercise.at, live).values)
      points.names.push_back(shortest(static_cast<float>(value)));
  if (!points.names.empty() && points.names.size() != count)
    throw Error("line " + std::to_string(exercise.at.line) + ": “" + exercise.at.text + "” names " +
                std::to_string(points.names.size()) + " points, and the curve has " + std::to_string(count));
  for (const LessonCells& cells : cells_of(formula, live))
    if (points.names.empty() && live.now) points.names = names_along(cells, live.now->graph, count);
  for (std::size_t i = points.names.size(); i < count; ++i) points.names.push_back(std::to_string(i + 1));
  return points;
}

double mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace attn
