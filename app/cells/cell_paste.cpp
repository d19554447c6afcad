// A block from the clipboard, previewed before it changes anything.
#include <algorithm>
#include <array>
#include <optional>

#include "app/cells/cell_parts.h"
#include "app/cells/cell_text.h"
#include "app/theme/toolkit.h"
#include "app/widgets/items.h"

namespace attn {
namespace {

constexpr std::size_t kShownRows = 5, kShownColumns = 6;

// How the block would go into the matrix: the rows and columns that are missing.
struct Fit {
  std::size_t more_rows = 0, more_columns = 0;
  bool smaller = false;  // laid on the first cell it leaves some uncovered
  bool fits() const { return more_rows == 0 && more_columns == 0; }
};

Fit fit_of(const Pasting& pasting, const Shape& shape) {
  const auto missing = [](std::size_t at, std::size_t count, std::size_t room) {
    return at + count > room ? at + count - room : 0;
  };
  const TextMatrix& m = pasting.block.matrix;
  const Cell at = pasting.at.cell;
  return {missing(at.row, m.rows, shape.rows), missing(at.column, m.columns, shape.columns),
          at.row == 0 && at.column == 0 && (m.rows < shape.rows || m.columns < shape.columns)};
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// The size that the matrix is given first; none: its own.
using Size = std::optional<std::array<std::size_t, 2>>;

// All numbers as one edit. In a copy, so that a size whose numbers are refused leaves nothing behind.
void paste(Frame& frame, const Grid& grid, const Pasting& pasting, const Size& size) {
  Document draft = frame.draft;
  const TextMatrix& m = pasting.block.matrix;
  const Cell at = pasting.at.cell;
  try_edit(frame, [&] {
    if (size) grid.edits.resize(draft, (*size)[0], (*size)[1]);
    std::vector<CellValue> cells;
    for (std::size_t row = 0; row < m.rows; ++row)
      for (std::size_t column = 0; column < m.columns; ++column)
        cells.push_back({{at.head, at.row + row, at.column + column}, m.at(row, column)});
    grid.edits.set(draft, cells);
    frame.draft = std::move(draft);
    frame.view.grid.selection =
        Selection{pasting.at, {at.head, at.row + m.rows - 1, at.column + m.columns - 1}};
  });
}

void show_numbers(const Theme& theme, const TextMatrix& m) {
  if (!ImGui::BeginTable("preview", static_cast<int>(std::min(m.columns, kShownColumns + 1)),
                         ImGuiTableFlags_SizingFixedFit))
    return;
  for (std::size_t row = 0; row < std::min(m.rows, kShownRows + 1); ++row) {
    ImGui::TableNextRow();
    for (std::size_t column = 0; column < std::min(m.columns, kShownColumns + 1); ++column) {
      ImGui::TableNextColumn();
      const bool beyond = row == kShownRows || column == kShownColumns;
      ImGui::PushStyleColor(ImGuiCol_Text, beyond ? theme.faint : theme.text);
      ImGui::TextUnformatted(beyond ? "…" : exact_text(m.at(row, column)).c_str());
      ImGui::PopStyleColor();
    }
  }
  ImGui::EndTable();
}

void show_error(const Theme& theme, const ParsedBlock& block) {
  ImGui::PushStyleColor(ImGuiCol_Text, theme.bad);
  say_wrapped(block.error);
  if (block.bad && block.error.find(block.bad->text) == std::string::npos)
    say_wrapped("The first bad cell says “" + block.bad->text.substr(0, 60) + "”.");
  ImGui::PopStyleColor();
  say("Nothing was changed.");
}

// What the button says that takes the block; empty: it can't be taken.
std::string offer(const Grid& grid, const Fit& fit) {
  if (fit.fits()) return "Paste";
  if (!grid.edits.resize) return {};
  std::string text = "Add ";
  if (fit.more_rows > 0) text += counted(fit.more_rows, grid.edits.rows_word);
  if (fit.more_rows > 0 && fit.more_columns > 0) text += " and ";
  if (fit.more_columns > 0) text += counted(fit.more_columns, grid.edits.columns_word);
  return text + " and paste";
}

// The buttons that take the block, and Enter for the first; true when one was pressed.
bool take(Frame& frame, const Grid& grid, const std::string& action, const Fit& fit) {
  const Pasting& pasting = *frame.view.grid.pasting;
  if (action.empty()) return false;
  const TextMatrix& m = pasting.block.matrix;
  const Shape shape = grid.values.shape();
  Size size;
  if (!fit.fits()) size = {shape.rows + fit.more_rows, shape.columns + fit.more_columns};
  // Not in the frame that opened it: the Enter may have been pressed before anybody saw the preview.
  bool taken = button(action) || (!pasting.fresh && enter_pressed());
  ImGui::SameLine();
  if (!taken && fit.smaller && grid.edits.resize) {
    const std::string whole = "Make it " + to_string(Shape{1, m.rows, m.columns}) + " and paste";
    if (button(whole)) size = {m.rows, m.columns}, taken = true;
    ImGui::SameLine();
  }
  if (taken) paste(frame, grid, pasting, size);
  return taken;
}

// True when the popup has done its work.
bool preview(Frame& frame, const Grid& grid) {
  const Pasting& pasting = *frame.view.grid.pasting;
  const ParsedBlock& block = pasting.block;
  const Cell at = pasting.at.cell;
  if (pasting.reading) {
    say("Reading the clipboard…");
    return button("Cancel");
  }
  say(block.understood.empty() ? "Paste" : ("Understood: " + block.understood));
  std::string action;
  const Shape shape = grid.values.shape();
  const Fit fit = fit_of(pasting, shape);
  if (block.error.empty()) {
    show_numbers(frame.theme, block.matrix);
    action = offer(grid, fit);
    const Shape room{1, shape.rows - at.row, shape.columns - at.column};
    if (!fit.fits())
      say_wrapped("From row " + std::to_string(at.row) + ", column " + std::to_string(at.column) +
                  " on there is room for " + to_string(room) + ".");
  } else {
    show_error(frame.theme, block);
  }
  if (take(frame, grid, action, fit)) return true;
  const bool enter = action.empty() && !pasting.fresh && enter_pressed();
  return button(action.empty() ? "Close" : "Cancel") || enter;
}

}  // namespace

void draw_paste(Frame& frame, const Grid& grid, const CellLayout& layout) {
  View& view = frame.view;
  if (!view.grid.pasting || view.grid.pasting->at.stage != grid.stage ||
      view.grid.pasting->at.cell.head != grid.head)
    return;
  view.grid.pasting->drawn = true;
  if (view.grid.pasting->fresh) ImGui::OpenPopup("paste");
  const float width = frame.theme.px(340);
  ImGui::SetNextWindowPos({layout.cells.min.x, layout.cells.max.y + frame.theme.px(8)}, ImGuiCond_Appearing);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, ImGui::GetIO().DisplaySize.y});
  if (!ImGui::BeginPopup("paste")) {
    view.grid.pasting.reset();  // Esc, or a click elsewhere
    return;
  }
  const bool done = preview(frame, grid);
  if (done) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  if (done)
    view.grid.pasting.reset();
  else
    view.grid.pasting->fresh = false;
}

}  // namespace attn
