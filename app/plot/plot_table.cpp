// A plot's visible samples as columns of numbers.
#include "app/plot/plot.h"

namespace attn {
namespace {

bool is_visible(const Series& series, const PlotView& view, std::size_t i) {
  const auto in = [](const std::optional<PlotRange>& range, double v) {
    return !range || (v >= range->low && v <= range->high);
  };
  return in(view.x, series.x_at(i)) && (series.kind != SeriesKind::points || in(view.y, series.y[i]));
}

// Those of a tensor are floats.
NumberColumn column_of(std::string head, std::string array, const Samples& samples,
                       const std::vector<std::size_t>& rows) {
  NumberColumn column{std::move(head), std::move(array), {}};
  const auto take = [&]<class T>(std::vector<T> numbers) {
    for (const std::size_t i : rows)
      if (i < samples.count) numbers.push_back(static_cast<T>(samples[i]));
    column.numbers = std::move(numbers);
  };
  if (samples.tensor.empty())
    take(std::vector<double>());
  else
    take(std::vector<float>());
  return column;
}

}  // namespace

std::vector<NumberColumn> plot_columns(const Plot& plot, const PlotView& view) {
  std::vector<NumberColumn> columns;
  for (const Series& series : plot.series) {
    if (!series.name.empty() && view.hidden.contains(series.name)) continue;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < series.count(); ++i)
      if (is_visible(series, view, i)) rows.push_back(i);
    const std::string head = series.name.empty() ? "y" : series.name;
    const std::string array = series.name.empty() ? "series" : series.name;
    const Samples x = series.x.empty() ? Samples::range(0, 1, series.y.count) : series.x;
    columns.push_back(column_of(plot.x.title.empty() ? "x" : plot.x.title, array + ".x", x, rows));
    columns.push_back(column_of(head, array + ".y", series.y, rows));
    if (!series.y2.empty())
      columns.push_back(column_of(head + ", other edge", array + ".y2", series.y2, rows));
  }
  return columns;
}

std::string plot_table(const Plot& plot, const PlotView& view) {
  return column_table(plot_columns(plot, view), '\t');
}

}  // namespace attn
