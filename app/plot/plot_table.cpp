// A plot as a table: its visible samples, for a spreadsheet.
#include <charconv>

#include "app/plot/plot.h"
#include "core/io/table_row.h"
#include "core/text/text.h"

namespace attn {
namespace {

// The shortest that reads back as the same number.
std::string number_text(const Samples& samples, std::size_t i) {
  if (!samples.tensor.empty()) return shortest(static_cast<float>(samples[i]));
  char buffer[32];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, samples[i]);
  return status == std::errc() ? std::string(buffer, end) : std::string();
}

struct TableColumn {
  std::string head;
  std::vector<std::string> cells;
};

bool is_visible(const Series& series, const PlotView& view, std::size_t i) {
  const auto in = [](const std::optional<PlotRange>& range, double v) {
    return !range || (v >= range->low && v <= range->high);
  };
  return in(view.x, series.x_at(i)) && (series.kind != SeriesKind::points || in(view.y, series.y[i]));
}

void add_columns(std::vector<TableColumn>& columns, const Plot& plot, const PlotView& view,
                 const Series& series) {
  const std::string name = series.name.empty() ? "y" : series.name;
  TableColumn x{.head = plot.x.title.empty() ? "x" : plot.x.title, .cells = {}}, y{.head = name, .cells = {}};
  TableColumn other{.head = name + ", other edge", .cells = {}};
  for (std::size_t i = 0; i < series.count(); ++i) {
    if (!is_visible(series, view, i)) continue;
    x.cells.push_back(series.x.empty() ? std::to_string(i) : number_text(series.x, i));
    y.cells.push_back(number_text(series.y, i));
    if (!series.y2.empty()) other.cells.push_back(i < series.y2.count ? number_text(series.y2, i) : "");
  }
  columns.push_back(std::move(x));
  columns.push_back(std::move(y));
  if (!series.y2.empty()) columns.push_back(std::move(other));
}

}  // namespace

std::string plot_table(const Plot& plot, const PlotView& view) {
  std::vector<TableColumn> columns;
  for (const Series& series : plot.series)
    if (series.name.empty() || !view.hidden.contains(series.name)) add_columns(columns, plot, view, series);
  std::size_t rows = 0;
  for (const TableColumn& column : columns) rows = std::max(rows, column.cells.size());
  std::string text;
  for (std::size_t row = 0; row <= rows && !columns.empty(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) text += '\t';
      if (row == 0) text += name_cell(columns[c].head);
      if (row > 0 && row <= columns[c].cells.size()) text += columns[c].cells[row - 1];
    }
    text += '\n';
  }
  return text;
}

}  // namespace attn
