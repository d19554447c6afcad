// Every number is the shortest decimal that reads back as the same float.
#include "core/io/stages_text.h"

#include <algorithm>
#include <cmath>

#include "core/io/matrix_text.h"
#include "core/text/text.h"

namespace attn {
namespace {

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

// Of each needed stage that has numbers of its own: "A 0" of the first of several heads.
void for_each_matrix(const Graph& graph, const std::vector<bool>& needed, const NumbersOf& numbers,
                     const std::function<void(const Stage&, const Tensor&, std::size_t head)>& take) {
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    if (!needed[i] || (!graph.stages[i].traced && !graph.stages[i].given())) continue;
    const Tensor tensor = numbers(i);
    for (std::size_t head = 0; head < tensor.stack(); ++head) take(graph.stages[i], tensor, head);
  }
}

std::string table_number(float x) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "∞" : "−∞";
  return shortest(x);
}

std::string label(const Axis& axis, std::size_t i) {
  const std::string text = axis.labels && i < axis.labels->size() ? (*axis.labels)[i] : std::to_string(i);
  return escaped(printable(text), "\\|*_`<>[]#");
}

std::string table(const Stage& stage, const Tensor& tensor, std::size_t head) {
  std::string text = "| |", line = "|---|";
  for (std::size_t j = 0; j < tensor.columns(); ++j) {
    text += " " + label(stage.columns, j) + " |";
    line += "---:|";
  }
  text += "\n" + line + "\n";
  for (std::size_t i = 0; i < tensor.rows(); ++i) {
    text += "| " + label(stage.rows, i) + " |";
    for (std::size_t j = 0; j < tensor.columns(); ++j)
      text += " " + table_number(tensor[{head, i, j}]) + " |";
    text += "\n";
  }
  return text + "\n";
}

}  // namespace

std::string stages_latex(const Graph& graph, const std::vector<bool>& needed, const NumbersOf& numbers) {
  std::size_t columns = 10;
  std::string matrices;
  for_each_matrix(graph, needed, numbers, [&](const Stage& stage, const Tensor& tensor, std::size_t head) {
    columns = std::max(columns, tensor.columns());
    if (head == 0)
      matrices += "% " + printable(stage.title + ": " + stage.formula) + ", " + to_string(stage.shape) + "\n";
    matrices += "\\[\n\\mathrm{" + escaped(stage.id, "_%$&#{}") + "}";
    if (tensor.stack() > 1) matrices += "_{" + std::to_string(head) + "}";
    matrices += " =\n" + write_matrix(tensor, head, TextFormat::latex) + "\\]\n";
  });
  return "\\documentclass{article}\n\\usepackage{amsmath}\n\\setcounter{MaxMatrixCols}{" +
         std::to_string(columns) + "}\n\\begin{document}\n" + matrices + "\\end{document}\n";
}

std::string stages_markdown(const Graph& graph, const std::vector<bool>& needed, const NumbersOf& numbers) {
  std::string text;
  for_each_matrix(graph, needed, numbers, [&](const Stage& stage, const Tensor& tensor, std::size_t head) {
    if (head == 0)
      text += "## " + escaped(stage.id, "_") + ": " + escaped(printable(stage.formula), "\\*_`<>[]#") + " (" +
              to_string(stage.shape) + ")\n\n";
    if (tensor.stack() > 1) text += "Head " + std::to_string(head) + "\n\n";
    text += table(stage, tensor, head);
  });
  return text;
}

}  // namespace attn
