// LaTeX: the cells between \begin{bmatrix} (or another matrix or array) and its end.
#include <array>

#include "core/graph/limits.h"
#include "core/io/text_cells.h"

namespace attn {
namespace {

// The group { … } that starts at `open`: the position behind its end, or npos.
std::size_t behind_group(std::string_view text, std::size_t open) {
  if (open >= text.size() || text[open] != '{') return text.npos;
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  return text.npos;
}

// \frac{a}{b} as ({a}/{b}).
void write_fractions(std::string& cell) {
  for (const std::string_view command : {"\\frac", "\\dfrac", "\\tfrac"})
    for (std::size_t at = cell.find(command); at != cell.npos; at = cell.find(command, at)) {
      const std::size_t over = behind_group(cell, at + command.size());
      const std::size_t end = over == cell.npos ? over : behind_group(cell, over);
      if (end == cell.npos) return;
      cell.insert(end, ")");
      cell.insert(over, "/");
      cell.replace(at, command.size(), "(");
    }
}

std::string to_expression(std::string cell) {
  struct Command {
    std::string_view latex, expression;
  };
  constexpr std::array kCommands{
      Command{"\\mathrm", ""}, Command{"\\text", ""},   Command{"\\infty", "inf"}, Command{"\\pi", "pi"},
      Command{"\\cdot", "*"},  Command{"\\times", "*"}, Command{"\\left", ""},     Command{"\\right", ""},
      Command{"\\,", ""},      Command{"\\!", ""},      Command{"\\;", ""},        Command{"\\sqrt", "√"},
      Command{"\\hline", ""},  Command{"$", ""},        Command{"{", "("},         Command{"}", ")"},
      Command{"\\", ""}};                                  // what is left: \sin, \cos, \exp
  if (cell.size() > limits::kMostLabelBytes) return cell;  // no number, and each replacement moves all of it
  // In the order of the table: fractions need their braces, commands their backslash.
  write_fractions(cell);
  for (const Command& word : kCommands)
    for (std::size_t at = cell.find(word.latex); at != cell.npos; at = cell.find(word.latex, at))
      cell.replace(at, word.latex.size(), word.expression);
  return std::string(trim(cell));
}

// Rows end with \\ (and perhaps a distance in square brackets).
std::vector<std::string_view> rows_of(std::string_view body) {
  std::vector<std::string_view> rows;
  for (;;) {
    const std::size_t end = body.find("\\\\");
    rows.push_back(trim(body.substr(0, end)));
    if (end == body.npos) return rows;
    body = trim(body.substr(end + 2));
    if (body.starts_with("[")) body = trim(body.substr(std::min(body.find(']'), body.size() - 1) + 1));
  }
}

}  // namespace

std::optional<TextCells> read_latex(std::string_view text) {
  constexpr std::string_view kBegin = "\\begin{";
  const std::size_t begin = text.find(kBegin);
  if (begin == text.npos) return std::nullopt;
  std::string_view body = text.substr(begin + kBegin.size());
  const std::string name(body.substr(0, body.find('}')));
  TextCells cells{.format = "LaTeX " + name, .rows = {}, .note = {}, .error = {}};
  const std::size_t end = body.find("\\end{" + name + "}");
  if (end == body.npos) {
    cells.error = "\\end{" + name + "} is missing";
    return cells;
  }
  body = body.substr(name.size() + 1, end - name.size() - 1);
  if (name == "array") body = body.substr(std::min(behind_group(body, body.find('{')), body.size()));
  for (const std::string_view row : rows_of(body)) {
    if (row.empty() || row == "\\hline") continue;
    cells.rows.emplace_back();
    for (std::string& cell : split_outside_brackets(row, '&'))
      cells.rows.back().push_back(to_expression(std::move(cell)));
  }
  return cells;
}

}  // namespace attn
