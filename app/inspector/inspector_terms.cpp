// The terms of one number in aligned columns: label, operands, what they make, a bar.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/inspector/inspector_sections.h"
#include "app/widgets/bars.h"

namespace attn::inspector {
namespace {

constexpr std::size_t kOperands = 4;  // of one term, at most

// One written line; empty cells take no room.
struct TermRow {
  std::string label, value;
  std::array<std::string, kOperands> operands;
  std::array<std::optional<Spot>, kOperands> spots;
  std::array<Role, kOperands> roles{};
  double size = 0;  // of the bar
};

struct Columns {
  float label = 0, value = 0;
  std::array<float, kOperands> operand{};
};

// A function of the sum: the result is not what the terms come to.
bool of_sum(const Opened& opened) {
  return opened.aggregate == Aggregate::root || opened.aggregate == Aggregate::applied;
}

bool adds_up(const Opened& opened) {
  return opened.aggregate == Aggregate::sum || of_sum(opened);
}

// The digits of one column of operands.
Digits operand_digits(const Opened& opened, std::size_t column) {
  std::vector<double> values;
  bool share = false;
  for (const Line& line : opened.lines)
    if (column < line.operands.size() && line.operands[column].words.empty()) {
      values.push_back(line.operands[column].value);
      share = share || line.operands[column].share;
    }
  return digits_for(values, share ? 4 : 3);
}

Digits value_digits(const Opened& opened) {
  std::vector<double> values{opened.result};
  bool share = opened.share;
  for (const Line& line : opened.lines) {
    values.push_back(line.value);
    share = share || (line.operands.size() == 1 && line.operands[0].share);
  }
  return digits_for(values, share ? 4 : 3);
}

// A term that is one cell's own value needs no "value = value".
bool is_plain(const Line& line, const Opened& opened) {
  return line.operands.size() == 1 && line.operands[0].words.empty() && opened.writing.before.empty();
}

std::vector<TermRow> write_rows(const Opened& opened) {
  const bool sum = adds_up(opened);
  const Digits digits = value_digits(opened);
  std::array<Digits, kOperands> operands{};
  for (std::size_t i = 0; i < kOperands; ++i) operands[i] = operand_digits(opened, i);
  std::vector<TermRow> rows;
  const bool products = !opened.lines.empty() && opened.lines[0].operands.size() > 1;
  for (const Line& line : opened.lines) {
    const bool bias = products && is_plain(line, opened);  // stands under the products by its name
    TermRow row{.label = bias ? "" : line.label,
                .value = write(line.value, digits, sum && opened.lines.size() > 1),
                .operands = {},
                .spots = {},
                .roles = {},
                .size = line.value};
    if (opened.aggregate == Aggregate::any) row.value = line.value != 0 ? "yes" : "no";
    for (std::size_t i = 0; i < std::min(kOperands, line.operands.size()); ++i) {
      const Figure& figure = line.operands[i];
      row.spots[i] = figure.spot;
      row.roles[i] = figure.role;
      if (!is_plain(line, opened) || opened.aggregate == Aggregate::any)
        row.operands[i] = figure.words.empty() ? write(figure.value, operands[i]) : figure.words;
      if (bias) row.operands[i] = line.label;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Columns measure(const std::vector<TermRow>& rows, const std::string& total) {
  Columns columns;
  columns.value = text_width(total);
  for (const TermRow& row : rows) {
    columns.label = std::max(columns.label, text_width(row.label));
    columns.value = std::max(columns.value, text_width(row.value));
    for (std::size_t i = 0; i < kOperands; ++i)
      columns.operand[i] = std::max(columns.operand[i], text_width(row.operands[i]));
  }
  return columns;
}

// Between columns, in points: usually, and where there is little room.
constexpr float kTermGap = 7, kNarrowGap = 3;

// A rule that holds or not equals nothing.
const char* equals(const Opened& opened) {
  return opened.aggregate == Aggregate::any ? "" : "=";
}

// Pixels of a line with all columns and words, but for the label.
float width_without_label(const Columns& columns, const Opened& opened, float gap) {
  float width = columns.value;
  const auto add = [&](float column) { width += column > 0 ? column + gap : 0; };
  for (const float operand : columns.operand) add(operand);
  add(text_width(opened.writing.before)), add(text_width(opened.writing.after));
  for (std::size_t i = 1; i < kOperands; ++i)
    if (columns.operand[i] > 0) add(text_width(opened.writing.between));
  if (columns.operand[0] > 0) add(text_width(equals(opened)));
  return width;
}

// Draws one line's columns from the left; returns where the value ends.
class RowWriter {
 public:
  RowWriter(Flow& flow, const Columns& columns, const Opened& opened, float gap)
      : flow_(flow), columns_(columns), opened_(opened), gap_(gap) {
    const float room = flow.width() - width_without_label(columns, opened, gap) - gap;
    columns_.label = std::min({columns_.label, flow.width() * 0.3f, std::max(room, flow.px(24))});
  }

  void draw(const TermRow& row, std::size_t number, ImU32 colour) {
    line_ = add_line(flow_);
    x_ = flow_.left;
    if (columns_.label > 0) put_elided(flow_, take(columns_.label), row.label, flow_.theme().dim, 1);
    const Writing& writing = opened_.writing;
    const std::string id = "term" + std::to_string(number);
    if (!writing.before.empty()) word(writing.before);
    for (std::size_t i = 0; i < kOperands; ++i) {
      if (i > 0 && columns_.operand[i] > 0) word(writing.between, !row.operands[i].empty());
      operand(row, i, id);
    }
    if (!writing.after.empty()) word(writing.after);
    if (columns_.operand[0] > 0) word(equals(opened_));
    const Rect value = take(columns_.value);
    put(flow_, value, row.value, colour, 1);
    if (row.operands[0].empty() && row.spots[0]) press_to_open(flow_, id + "value", value, row.spots[0]);
    flow_.reached = std::max(flow_.reached, value.max.x);
  }
  Rect bar() const {
    const float inset = flow_.px(6);
    return {{x_ + flow_.px(4), line_.min.y + inset}, {flow_.right, line_.max.y - inset}};
  }

 private:
  Rect take(float width) {
    const Rect cell{{x_, line_.min.y}, {x_ + width, line_.max.y}};
    x_ += width + gap_;
    return cell;
  }
  void word(const std::string& text, bool shown = true) {
    put(flow_, take(text_width(text)), shown ? text : "", flow_.theme().dim);
  }
  void operand(const TermRow& row, std::size_t i, const std::string& id) {
    if (columns_.operand[i] == 0) return;
    const Rect cell = take(columns_.operand[i]);
    const ImU32 colour = row.spots[i] ? role_colour(flow_.theme(), row.roles[i]) : flow_.theme().text;
    put(flow_, cell, row.operands[i], colour, 1);
    if (!row.operands[i].empty()) press_to_open(flow_, id + "." + std::to_string(i), cell, row.spots[i]);
  }

  Flow& flow_;
  Columns columns_;
  const Opened& opened_;
  float gap_, x_ = 0;
  Rect line_{};
};

bool has_total(const Opened& opened) {
  const bool many = opened.lines.size() > 1 || opened.left_out > 0;
  return many && (adds_up(opened) || opened.aggregate == Aggregate::maximum);
}

}  // namespace

void draw_terms(Flow& flow, const Opened& opened) {
  const std::vector<TermRow> rows = write_rows(opened);
  const Digits digits = value_digits(opened);
  const bool sum = adds_up(opened), root = opened.aggregate == Aggregate::root;
  TermRow total;
  total.value = write(opened.result, digits, sum);
  Columns columns = measure(rows, total.value);
  const float label = std::min(columns.label + flow.px(kTermGap), flow.px(60));
  const CompactScope compact(flow, label + width_without_label(columns, opened, flow.px(kTermGap)));
  if (compact) columns = measure(rows, total.value);
  if (columns.operand[0] == 0 || of_sum(opened)) {  // no "=" before it, or none that a sum alone would be
    total.label = root ? "√Σ" : of_sum(opened) ? "f(Σ)" : sum ? "Σ" : "max";
    if (has_total(opened)) columns.label = std::max(columns.label, text_width(total.label));
  }
  double least = 0, most = 0;
  for (const TermRow& row : rows)
    if (std::isfinite(row.size)) least = std::min(least, row.size), most = std::max(most, row.size);
  RowWriter writer(flow, columns, opened, flow.px(compact ? kNarrowGap : kTermGap));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool peak = opened.aggregate == Aggregate::maximum && rows[i].size == opened.result;
    writer.draw(rows[i], i, peak ? flow.theme().accent : flow.theme().text);
    const Rect bar = writer.bar();
    const bool masked = opened.aggregate == Aggregate::maximum && std::isinf(rows[i].size);
    if (rows.size() > 1 && opened.aggregate != Aggregate::any && !masked && bar.width() > flow.px(24))
      draw_signed_bar(flow.list, bar, rows[i].size, least, most, flow.theme());
  }
  if (opened.left_out > 0) {
    const std::string more = "… " + std::to_string(opened.left_out) + " more";
    put_elided(flow, add_line(flow),
               sum ? more + ", together " + write(opened.left_out_sum, digits, true) : more,
               flow.theme().dim);
  }
  if (has_total(opened)) writer.draw(total, rows.size(), flow.theme().text);
}

}  // namespace attn::inspector
