// Stages with their numbers as a text to be read: LaTeX, Markdown.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

using NumbersOf = std::function<Tensor(StageIndex)>;

// A document of its own: a matrix for each head of every needed stage, with the stage's formula in a comment.
std::string stages_latex(const Graph& graph, const std::vector<bool>& needed, const NumbersOf& numbers);

// A heading with title, formula and shape for each, and a table for each head, with the labels of its rows
// and columns.
std::string stages_markdown(const Graph& graph, const std::vector<bool>& needed, const NumbersOf& numbers);

}  // namespace attn
