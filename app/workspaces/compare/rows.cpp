// Which stages are open and how large their cells are: found by trying sizes from the largest down.
#include "app/workspaces/compare/rows.h"

#include <algorithm>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/presenting.h"
#include "app/canvas/shelf.h"
#include "app/frame/present_view.h"
#include "app/frame/visible_stages.h"

namespace attn {
namespace {

// Points: of a line, of what an open row has besides its cells, and of cells.
constexpr float kLine = 22, kAround = 62 + 2 * kRowPadding, kAbsence = 70;
constexpr float kLargestCell = 50, kSmallestCell = 16, kCellStep = 2, kEqualCell = 34, kScrolledCell = 40;
constexpr float kRoomyRow = 600;                       // points of a row that names its rows in every column
constexpr float kNarrowColumn = 0.313f;                // of a row that does not, for B and for the difference
constexpr float kReadable = 32;                        // points of a cell with two decimals
constexpr float kWidestAlone = 96, kLowestAlone = 22;  // points of a cell of a column that is alone
constexpr float kSmaller = 0.9f;                       // what follows the first difference

class RowLayout {
 public:
  RowLayout(Frame& frame, const CompareFigures& figures, ImVec2 canvas)
      : frame_(frame), theme_(frame.theme), canvas_(canvas) {
    for (std::size_t i = 0; i < figures.stages.size(); ++i) {
      const ComparedStage& compared = figures.stages[i];
      if (!on_screen(frame.graph.stages[compared.either()], frame.view)) continue;
      rows_.push_back({.place = i, .compared = compared, .off = differs(figures.differences[i])});
    }
    const auto first = std::ranges::find(rows_, true, &CompareRow::off);
    if (first != rows_.end()) first->first = true;
    for (const CompareRow& row : rows_) widest_.push_back(widest_cell(row));
  }

  std::vector<CompareRow> rows() {
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].open = is_asked_for(rows_[i]);
    if (!open_what_fits() || presents(frame_.view)) leave_one();
    place();
    return std::move(rows_);
  }

 private:
  // A person opened it, or stands on it; the first difference is always open.
  bool is_asked_for(const CompareRow& row) const {
    const CompareView& view = frame_.view.of<CompareView>();
    const Graph& graph = frame_.graph;
    if (row.first || (!row.off && view.equal_stages)) return true;
    const auto asked = view.open.find(graph.stages[row.own()].id);
    if (asked != view.open.end()) return asked->second;
    const auto pinned = frame_.view.pinned ? graph.find(frame_.view.pinned->stage) : std::nullopt;
    return (pinned && row.has(*pinned)) || is_of_step(row);
  }

  bool is_of_step(const CompareRow& row) const {
    const auto& step = frame_.canvas().step;
    return step && std::ranges::any_of(frame_.steps, [&](const StepChip& chip) {
             return chip.id == *step &&
                    std::ranges::any_of(chip.stages, [&](StageIndex s) { return row.has(s); });
           });
  }

  bool was_closed(const CompareRow& row) const {
    const auto& open = frame_.view.of<CompareView>().open;
    const auto asked = open.find(frame_.graph.stages[row.own()].id);
    return asked != open.end() && !asked->second;
  }

  // Points from one cell to the next with which a row's matrices are as wide as their columns.
  float widest_cell(const CompareRow& row) const {
    float widest = row.alone ? kWidestAlone * frame_.canvas().zoom : cap_;
    const Rect line{{0, 0}, {canvas_.x - 2 * theme_.px(kSceneMargin), 1e5f}};
    for (std::size_t c = 0; c < kColumns; ++c)
      if (const auto place = place_of_column(theme_, row, line, c); place && row.stages()[c])
        widest = std::min(widest, fitted_grid(frame_, *row.stages()[c], frame_.view.layer.head, *place, 0,
                                              row.alone || names_rows(theme_, line.width(), c))
                                      .cell_width);
    return widest;
  }

  // Square side by side; alone as wide as there is room.
  ImVec2 cell_of(std::size_t i, float largest) const {
    const CompareRow& row = rows_[i];
    if (row.alone) return {widest_[i], largest};
    const float side =
        std::min(widest_[i], row.first ? largest
                             : row.off ? std::max(largest * kSmaller, std::min(largest, kReadable))
                                       : std::min(largest, kEqualCell));
    return {side, side};
  }

  float open_height(std::size_t i, float largest) const {
    const Graph& graph = frame_.graph;
    std::size_t count = 1;
    for (const auto& stage : rows_[i].stages())
      if (stage) count = std::max(count, graph.stages[*stage].shape.rows);
    return theme_.px(std::max(kAbsence, kAround + cell_of(i, largest).y * static_cast<float>(count)));
  }

  float height(std::size_t i, float largest) const {
    return rows_[i].open ? open_height(i, largest) : theme_.px(kLine);
  }

  float all(float largest) const {
    float sum = theme_.px(kColumnHeads + kLine);
    for (std::size_t i = 0; i < rows_.size(); ++i) sum += height(i, largest);
    return sum;
  }

  // Whether what has to be open is in sight.
  bool open_what_fits() {
    const auto first = std::ranges::find(rows_, true, &CompareRow::first);
    const auto next =
        std::find_if(first == rows_.end() ? first : first + 1, rows_.end(),
                     [&](const CompareRow& row) { return row.off && !row.open && !was_closed(row); });
    // Where a column has no room for numbers, cells are smaller without loss.
    const float narrow =
        first == rows_.end() ? cap_ : widest_[static_cast<std::size_t>(first - rows_.begin())];
    const float smallest = std::min(kSmallestCell, narrow * 0.75f);
    const auto fitting = [&]() -> std::optional<float> {
      for (float largest = cap_; largest >= smallest; largest -= largest > kSmallestCell ? kCellStep : 0.5f)
        if (all(largest) <= canvas_.y) return largest;
      return std::nullopt;
    };
    if (next != rows_.end()) {
      next->open = true;
      if (!fitting()) next->open = false;
    }
    const auto largest = fitting();
    largest_ = largest.value_or(kScrolledCell);
    for (CompareRow& row : rows_) {
      if (!row.off || row.open || was_closed(row)) continue;
      row.open = true;
      if (all(largest_) <= canvas_.y) continue;
      row.open = false;
      break;
    }
    return largest.has_value();
  }

  // Rows that a person opened are scrolled through; without any the one that matters now stands alone.
  void leave_one() {
    const CompareView& view = frame_.view.of<CompareView>();
    if ((view.equal_stages || !view.open.empty()) && !presents(frame_.view)) return;
    auto kept = std::ranges::find_if(rows_, [&](const CompareRow& row) { return is_of_step(row); });
    if (kept == rows_.end()) kept = std::ranges::find(rows_, true, &CompareRow::first);
    if (kept == rows_.end()) return;
    const auto place = kept - rows_.begin();
    rows_ = {*kept}, widest_ = {widest_[static_cast<std::size_t>(place)]};
    rows_[0].open = true;
    if (const auto one = presented_one(frame_.view, kColumns)) {
      rows_[0].alone = one;
      widest_[0] = widest_cell(rows_[0]);
    } else if (widest_[0] < kReadable && !names_rows(theme_, canvas_.x, 1)) {
      rows_[0].alone = view.column;
      widest_[0] = widest_cell(rows_[0]);
    }
    const float least = rows_[0].alone ? kLowestAlone : kSmallestCell / 2;
    for (largest_ = cap_; largest_ > least && all(largest_) > canvas_.y;) largest_ -= 1;
  }

  void place() {
    Shelf shelf{theme_.px(kSceneMargin), canvas_.x - theme_.px(kSceneMargin), theme_.px(kColumnHeads)};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].cell = cell_of(i, largest_);
      rows_[i].area = shelf.take(height(i, largest_), 0);
    }
  }

  Frame& frame_;
  const Theme& theme_;
  ImVec2 canvas_;
  float cap_ = kLargestCell * frame_.canvas().zoom;  // of cells, in points
  float largest_ = cap_;
  std::vector<CompareRow> rows_ = {};
  std::vector<float> widest_ = {};
};

}  // namespace

std::vector<CompareRow> compare_rows(Frame& frame, const CompareFigures& figures, ImVec2 canvas) {
  return RowLayout(frame, figures, canvas).rows();
}

bool names_rows(const Theme& theme, float row_width, std::size_t column) {
  return column == 0 || row_width >= theme.px(kRoomyRow);
}

std::optional<Rect> place_of_column(const Theme& theme, const CompareRow& row, Rect area,
                                    std::size_t column) {
  if (!row.alone) return column_of(theme, area, column);
  return row.alone == column ? std::optional(area) : std::nullopt;
}

Rect column_of(const Theme& theme, Rect row, std::size_t column) {
  const bool narrow = !names_rows(theme, row.width(), 1);
  const float others = narrow ? kNarrowColumn : 1 / static_cast<float>(kColumns);
  const auto from = [&](std::size_t i) { return 1 - others * static_cast<float>(kColumns - i); };
  return part_of(row, column == 0 ? 0 : from(column), from(column + 1),
                 theme.px(narrow ? kSignGap : kWideGap));
}

}  // namespace attn
