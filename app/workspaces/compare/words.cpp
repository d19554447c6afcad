// What is said of a stage that two layers have, and which of their numbers is meant.
#include <algorithm>
#include <cmath>

#include "app/cells/cell_draw.h"
#include "app/frame/visible_stages.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/compare/rows.h"
#include "core/checks/stage_pairs.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

struct CompareMemo {
  CompareFigures figures = {};
  std::vector<Tensor> masks = {};  // of each of its stages
  std::size_t bytes() const {
    std::size_t held = bytes_of_all(figures.stages, figures.differences, figures.counts, figures.moved);
    for (const Tensor& mask : masks) held += mask.bytes();
    return held;
  }
};

const Tensor* mask_of(const Results& results, const std::optional<StageIndex>& stage) {
  const auto mask = stage ? results.graph.stages[*stage].mask : std::nullopt;
  return mask ? &results.outputs[*mask].whole() : nullptr;
}

// Of two masks of one size what both hide; masks for all heads and for each do not mix.
Tensor both(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape() || a == b) return a;
  std::vector<float> hidden(a.values().begin(), a.values().end());
  for (std::size_t i = 0; i < hidden.size(); ++i)
    if (b.values()[i] == 0) hidden[i] = 0;
  return {a.shape(), std::move(hidden)};
}

// A texture has one look for an infinite difference: that of what is masked.
Tensor with_infinite(const Tensor& mask, const Tensor& difference) {
  const Shape shape = difference.shape();
  if (std::max(shape.rows, shape.columns) <= kMostRectangles || difference.empty()) return mask;
  std::vector<float> hidden(difference.values().size());
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    const Cell cell = cell_at(shape, i);
    const bool masked =
        !mask.empty() &&
        mask[{shared_matrix(cell.head, mask.stack(), shape.stack), cell.row, cell.column}] != 0;
    hidden[i] = masked || std::isinf(difference.values()[i]) ? 1.0f : 0.0f;
  }
  return {shape, std::move(hidden)};
}

const CompareMemo& compare_memo(Frame& frame) {
  return frame.memos.of<CompareMemo>(frame.engine.results, [](CompareMemo& memo, const Results& shown) {
    memo = {compare_figures(shown), {}};
    for (const ComparedStage& row : memo.figures.stages) {
      const Tensor *a = mask_of(shown, row.a), *b = mask_of(shown, row.b);
      const Tensor masked = row.difference && a && b ? both(*a, *b) : Tensor();
      memo.masks.push_back(row.difference && (a || b)
                               ? with_infinite(masked, shown.outputs[*row.difference].whole())
                               : Tensor());
    }
  });
}

std::string of_all(std::size_t some, std::size_t all) {
  return std::to_string(some) + " of " + std::to_string(all);
}

std::string changed_rows(const CellCounts& counts) {
  return of_all(counts.changed_rows, counts.rows) +
         (counts.changed_rows == 1 ? " row changes" : " rows change");
}

std::string size_of_change(double value) {
  return std::isfinite(value) ? inspector::write(value, {value < 10 ? 4 : 2, false}) : "∞";
}

// "at “the”, feature 1".
std::string where(const Results& results, const ComparedStage& row, std::size_t at) {
  const Stage& stage = results.graph.stages[*row.difference];
  const Cell cell = cell_at(stage.shape, at);
  const auto name = [](const Axis& axis, std::size_t i) {
    const std::string label = axis_label(axis, i);
    return axis.labels ? "“" + label + "”" : std::string(axis.name) + (axis.name.empty() ? "" : " ") + label;
  };
  return " at " + name(stage.rows, cell.row) +
         (stage.shape.columns > 1 ? ", " + name(stage.columns, cell.column) : std::string());
}

}  // namespace

const CompareFigures* compared_figures(Frame& frame) {
  return has_numbers(frame.engine.results) ? &compare_memo(frame).figures : nullptr;
}

Tensor masked_in_both(Frame& frame, std::size_t place) {
  return compare_memo(frame).masks[place];
}

std::string compared_name(const Document& document) {
  return std::string(text_of(compared_address(document)).name);
}

std::string absence_words(const Graph& graph, const ComparedStage& row, std::size_t column) {
  if (Columns{row.a, row.b, row.difference}[column]) return {};
  const auto name = [&](std::size_t part) { return graph.parts[part].title; };
  if (column < 2) return name(column) + " has no such stage";
  if (!row.a || !row.b) return "only in " + name(row.a ? 0 : 1);
  return "another shape: " + to_string(graph.stages[*row.a].shape) + " and " +
         to_string(graph.stages[*row.b].shape);
}

std::optional<std::size_t> compared_place(const Results& results, const CompareFigures& figures,
                                          const std::string& stage) {
  const auto found = results.graph.find(stage);
  for (std::size_t i = 0; found && i < figures.stages.size(); ++i) {
    const ComparedStage& row = figures.stages[i];
    if (row.a == found || row.b == found || row.difference == found) return i;
  }
  return std::nullopt;
}

std::string short_number(double value) {
  return value == 0 ? "0" : inspector::write(value, {2, false});
}

std::string first_words(const Results& results, const CompareFigures& figures, std::size_t place) {
  const ComparedStage& row = figures.stages[place];
  if (!row.difference) return absence_words(results.graph, row, 2);
  const CellCounts& counts = figures.counts[place];
  const ArrayDifference& difference = *figures.differences[place];
  if (counts.nan > 0)
    return of_all(counts.nan, counts.cells) + (counts.nan == 1 ? " cell is" : " cells are") +
           " NaN in one alone";
  if (counts.hidden + counts.freed > 0) {
    const std::string gone = of_all(counts.hidden, counts.cells) + " cells become −∞",
                      back = of_all(counts.freed, counts.cells) + " cells are no more −∞";
    return counts.freed == 0 ? gone : counts.hidden == 0 ? back : gone + ", " + back;
  }
  return of_all(difference.beyond, counts.cells) + " cells change, largest " +
         size_of_change(difference.largest);
}

std::string following_words(const Results& results, const CompareFigures& figures, std::size_t place,
                            bool with_place) {
  const ComparedStage& row = figures.stages[place];
  if (!row.difference) return absence_words(results.graph, row, 2);
  const ArrayDifference& difference = *figures.differences[place];
  return "largest " + size_of_change(difference.largest) +
         (with_place ? where(results, row, difference.at) : ", " + changed_rows(figures.counts[place]));
}

std::optional<std::size_t> first_on_screen(const Frame& frame, const CompareFigures& figures) {
  for (std::size_t i = 0; i < figures.stages.size(); ++i)
    if (differs(figures.differences[i]) &&
        on_screen(frame.graph.stages[figures.stages[i].either()], frame.view))
      return i;
  return std::nullopt;
}

std::optional<Spot> largest_change(const Results& results, const CompareFigures& figures) {
  std::optional<std::size_t> place = figures.weights;
  if (!place || !differs(figures.differences[*place])) {
    place.reset();
    for (std::size_t i = 0; i < figures.stages.size() && !place; ++i)
      if (figures.stages[i].difference && differs(figures.differences[i])) place = i;
  }
  if (!place) return std::nullopt;
  const Stage& stage = results.graph.stages[*figures.stages[*place].a];
  return Spot{stage.id, cell_at(stage.shape, figures.differences[*place]->at)};
}

std::optional<Spot> same_number(const Results& results, const CompareFigures& figures, const Spot& spot,
                                std::size_t column) {
  const auto place = compared_place(results, figures, spot.stage);
  if (!place) return std::nullopt;
  const ComparedStage& row = figures.stages[*place];
  const auto stage = Columns{row.a, row.b, row.difference}[column];
  if (!stage || !holds(results.graph.stages[*stage].shape, spot.cell)) return std::nullopt;
  return Spot{results.graph.stages[*stage].id, spot.cell};
}

}  // namespace attn
