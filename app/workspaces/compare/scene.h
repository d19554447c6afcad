// What the parts of the workspace that compares share. Private to app/workspaces/compare.
#pragma once

#include <optional>
#include <string>

#include "core/compare/edit.h"
#include "core/compare/figures.h"

#include "app/frame/frame.h"
#include "app/workspaces/compare/view.h"

namespace attn {

// The figures of the results on screen; null before the first.
const CompareFigures* compared_figures(Frame& frame);
// Of the layer that is shown beside A: "B".
std::string beside_name(const Document& document);
// Why one of the columns, A, the layer beside it and their difference, has nothing of a stage: "A has no such
// stage", "another shape: 5×4 and 12×30". Empty where it has.
std::string absence_words(const Graph& graph, const ComparedStage& row, std::size_t column);
// The place of a stage among those compared, by any of its three ids.
std::optional<std::size_t> compared_place(const Results& results, const CompareFigures& figures,
                                          const std::string& stage);

}  // namespace attn
