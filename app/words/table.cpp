// Long sides keep their first and last indices. Padding counts a terminal's columns: code points are decoded
// from UTF-8, and blocks of wide and of combining ones looked up.
#include "app/words/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/text/text.h"

namespace attn {
namespace {

// What is shown of a long side: its first and last indices, with a gap (nothing) between them.
struct Limit {
  std::size_t whole, first, last;  // sides up to `whole` are shown whole
};
constexpr Limit kCells{12, 7, 4}, kHeads{8, 2, 1};
constexpr std::size_t kLabelWidth = 16;

std::vector<std::optional<std::size_t>> shown(std::size_t count, Limit limit) {
  std::vector<std::optional<std::size_t>> indices;
  const bool whole = count <= limit.whole;
  for (std::size_t i = 0; i < (whole ? count : limit.first); ++i) indices.emplace_back(i);
  if (whole) return indices;
  indices.emplace_back();
  for (std::size_t i = count - limit.last; i < count; ++i) indices.emplace_back(i);
  return indices;
}

// "first 7 and last 4 of 64 rows": nothing when the side is shown whole.
void note_abbreviation(std::string& note, std::size_t count, Limit limit, const char* what) {
  if (count <= limit.whole) return;
  note += (note.empty() ? "" : ", ");
  note += "first " + std::to_string(limit.first) + " and last " + std::to_string(limit.last) + " of " +
          std::to_string(count) + " " + what;
}

struct Bounds {
  char32_t first, last;
  bool contains(char32_t c) const { return c >= first && c <= last; }
};

// The blocks of Unicode's EastAsianWidth.txt that are wide throughout, and the common combining marks.
constexpr std::array kWide{Bounds{0x1100, 0x115F}, Bounds{0x2E80, 0xA4CF},   Bounds{0xAC00, 0xD7A3},
                           Bounds{0xF900, 0xFAFF}, Bounds{0xFE30, 0xFE6F},   Bounds{0xFF00, 0xFF60},
                           Bounds{0xFFE0, 0xFFE6}, Bounds{0x1F300, 0x1FAFF}, Bounds{0x20000, 0x3FFFD}};
constexpr std::array kCombining{Bounds{0x0300, 0x036F}, Bounds{0x200B, 0x200F}, Bounds{0x20D0, 0x20FF},
                                Bounds{0xFE00, 0xFE0F}};

template <std::size_t N>
bool in(const std::array<Bounds, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Bounds& range) { return range.contains(c); });
}

std::size_t width_of(char32_t c) {
  return in(kCombining, c) ? 0 : in(kWide, c) ? 2 : 1;
}

// Labels come from files: no control character reaches the terminal, and none is longer than its column.
std::string safe_label(std::string_view text) {
  std::string label;
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    width += width_of(c.value);
    if (width > kLabelWidth) return label + "…";
    label += is_printable(c) ? std::string(text.substr(0, c.bytes)) : "·";
    text.remove_prefix(c.bytes);
  }
  return label;
}

std::string label(const Axis& axis, std::optional<std::size_t> index) {
  if (!index) return "…";
  if (axis.labels && *index < axis.labels->size()) return safe_label((*axis.labels)[*index]);
  return axis.name.empty() ? "" : std::to_string(*index);
}

std::string formatted(float value, std::chars_format format, int digits) {
  char buffer[64];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value, format, digits);
  return std::string(buffer, status == std::errc() ? end : buffer);
}

void print_matrix(std::ostream& out, const Stage& stage, const Tensor& values, std::size_t head) {
  const auto columns = shown(values.columns(), kCells);
  std::string corner(stage.rows.name);
  if (!stage.columns.name.empty()) corner += "\\" + std::string(stage.columns.name);
  std::vector<std::vector<std::string>> table{{corner}};
  for (const auto column : columns) table[0].push_back(label(stage.columns, column));
  for (const auto row : shown(values.rows(), kCells)) {
    table.push_back({label(stage.rows, row)});
    for (const auto column : columns)
      table.back().push_back(row && column ? short_number(values[{head, *row, *column}]) : "…");
  }
  print_table(out, table, 1);
}

}  // namespace

std::string short_number(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  const float size = std::abs(value);
  if (size < 1e6f && value == std::round(value)) return formatted(value, std::chars_format::fixed, 0);
  if (size >= 1e-4f && size < 1e6f) return formatted(value, std::chars_format::fixed, 4);
  return formatted(value, std::chars_format::scientific, 3);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    width += width_of(c.value);
    text.remove_prefix(c.bytes);
  }
  return width;
}

void print_lines(std::ostream& out, std::span<const std::string> lines) {
  for (const std::string& line : lines) out << printable(line) << '\n';
}

void print_table(std::ostream& out, std::vector<std::vector<std::string>> rows, std::size_t left) {
  std::vector<std::size_t> widths;
  for (auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = printable(row[c]);
      if (c == widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], display_width(row[c]));
    }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - display_width(row[c]), ' ');
      line += "  " + (c < left ? row[c] + padding : padding + row[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

void print_stage(std::ostream& out, const Stage& stage, const Tensor& values) {
  const Shape shape = values.shape();
  std::string note;
  note_abbreviation(note, shape.stack, kHeads, "heads");
  note_abbreviation(note, shape.rows, kCells, "rows");
  note_abbreviation(note, shape.columns, kCells, "columns");
  std::string head_line = stage.id;
  if (stage.title != stage.id) head_line += " · " + stage.title;
  head_line += " · " + stage.formula + " · " + to_string(shape);
  if (!note.empty()) head_line += " · showing the " + note + "; -o writes all";
  out << printable(head_line) << '\n';
  for (const auto head : shown(shape.stack, kHeads)) {
    if (!head) out << "  …\n";
    if (!head) continue;
    if (shape.stack > 1) out << "  head " << *head << '\n';
    print_matrix(out, stage, values, *head);
  }
  out << '\n';
}

}  // namespace attn
