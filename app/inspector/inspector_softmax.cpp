// A weight opened through the softmax: what it reads, that − maximum and exp of every key, their sum, the
// division.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "app/inspector/inspector_numbers.h"
#include "app/inspector/inspector_sections.h"
#include "app/widgets/bars.h"

namespace attn::inspector {
namespace {

// Of the columns: the softmax reads scores that may have been scaled, biased and masked.
std::array<std::string, 3> heads_of(const OpenedSoftmax& softmax) {
  return {softmax.input, "− max", "exp"};
}

// Between columns, in points: usually, and where there is little room.
constexpr float kColumnGap = 10, kNarrowColumnGap = 4;

struct Table {
  float label = 0, gap = 0;
  std::array<float, 3> width{};
  Digits scores, exps;
};

Table measure(const Flow& flow, const OpenedSoftmax& softmax, float gap) {
  Table table;
  table.gap = gap;
  std::vector<double> scores{softmax.maximum.value}, exps{softmax.sum.value};
  for (const SoftmaxLine& line : softmax.lines) {
    scores.push_back(line.score.value);
    exps.push_back(line.exponential.value);
  }
  table.scores = digits_for(scores);
  table.exps = digits_for(exps, 4);
  const auto heads = heads_of(softmax);
  for (std::size_t i = 0; i < 3; ++i) table.width[i] = text_width(heads[i]);
  for (const SoftmaxLine& line : softmax.lines) {
    table.label = std::max(table.label, text_width(line.key));
    const std::array<std::string, 3> texts{write(line.score.value, table.scores),
                                           write(line.shifted, table.scores),
                                           write(line.exponential.value, table.exps)};
    for (std::size_t i = 0; i < 3; ++i) table.width[i] = std::max(table.width[i], text_width(texts[i]));
  }
  table.width[2] = std::max(table.width[2], text_width(write(softmax.sum.value, table.exps)));
  table.label = std::min(std::max(table.label, text_width("sum")), flow.width() * 0.25f);
  return table;
}

// The cells of one line: label, then three columns, right-aligned; the rest is for the bar.
std::array<Rect, 5> cells_of(Flow& flow, const Table& table) {
  const Rect line = add_line(flow);
  std::array<Rect, 5> cells{};
  float x = flow.left;
  const auto take = [&](float width) {
    const Rect cell{{x, line.min.y}, {x + width, line.max.y}};
    x += width + table.gap;
    return cell;
  };
  cells[0] = take(table.label);
  for (std::size_t i = 0; i < 3; ++i) cells[i + 1] = take(table.width[i]);
  flow.reached = std::max(flow.reached, cells[3].max.x);
  cells[4] = {{x, line.min.y + flow.px(6)}, {flow.right, line.max.y - flow.px(6)}};
  return cells;
}

void draw_line(Flow& flow, const Table& table, const SoftmaxLine& line, double largest) {
  const Theme& theme = flow.theme();
  const auto cells = cells_of(flow, table);
  const ImU32 colour = line.current ? theme.text : theme.dim;
  put_elided(flow, cells[0], line.key, colour, 1);
  put(flow, cells[1], write(line.score.value, table.scores), colour, 1);
  put(flow, cells[2], write(line.shifted, table.scores), colour, 1);
  put(flow, cells[3], write(line.exponential.value, table.exps), colour, 1);
  const std::string key = std::to_string(line.score.spot->cell.column);
  press_to_open(flow, "score" + key, cells[1], line.score.spot);
  press_to_open(flow, "exp" + key, cells[3], line.exponential.spot);
  if (cells[4].width() > flow.px(16) && largest > 0)
    draw_bar(flow.list, cells[4], line.exponential.value / largest, 0,
             line.current ? theme.accent : with_alpha(theme.accent, 0.45f), theme);
}

}  // namespace

void draw_softmax(Flow& flow, const OpenedSoftmax& softmax, const Opened& opened) {
  const Theme& theme = flow.theme();
  Table table = measure(flow, softmax, flow.px(kColumnGap));
  const float wanted = std::accumulate(table.width.begin(), table.width.end(), table.label + 3 * table.gap);
  std::optional<CompactScope> compact(std::in_place, flow, wanted);
  if (*compact) table = measure(flow, softmax, flow.px(kNarrowColumnGap));
  const auto line = cells_of(flow, table);
  const auto heads = heads_of(softmax);
  for (std::size_t i = 0; i < 3; ++i) put(flow, line[i + 1], heads[i], theme.faint, 1);
  double largest = 0;
  for (const SoftmaxLine& l : softmax.lines) largest = std::max(largest, l.exponential.value);
  for (const SoftmaxLine& l : softmax.lines) draw_line(flow, table, l, largest);
  if (softmax.left_out > 0)
    put_elided(flow, add_line(flow),
               "… " + std::to_string(softmax.left_out) + " more keys, together " +
                   write(softmax.left_out_sum, table.exps),
               theme.dim);
  const auto max = cells_of(flow, table);
  put(flow, max[0], "max", theme.dim, 1);
  put(flow, max[1], write(softmax.maximum.value, table.scores), theme.text, 1);
  press_to_open(flow, "max", max[1], softmax.maximum.spot);
  const auto sum = cells_of(flow, table);
  put(flow, sum[0], "sum", theme.dim, 1);
  put(flow, sum[3], write(softmax.sum.value, table.exps), theme.text, 1);
  press_to_open(flow, "sum", sum[3], softmax.sum.spot);
  compact.reset();  // the division has fewer columns
  draw_terms(flow, opened);
}

}  // namespace attn::inspector
