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
// What both layers hide of a stage that is among those compared, of a large one what either does; empty:
// nothing.
Tensor masked_in_both(Frame& frame, std::size_t place);

// The letter of the layer that A is compared with: "B".
std::string compared_name(const Document& document);
// Why one of the columns, A, the compared layer and their difference, has nothing of a stage: "A has no such
// stage", "another shape: 5×4 and 12×30". Empty where it has.
std::string absence_words(const Graph& graph, const ComparedStage& row, std::size_t column);
// The place of a stage among those compared, by any of its three ids.
std::optional<std::size_t> compared_place(const Results& results, const CompareFigures& figures,
                                          const std::string& stage);
// "0", "0.42", "2e−7".
std::string short_number(double value);
// What the first stage that differs does: "10 of 25 cells become −∞".
std::string first_words(const Results& results, const CompareFigures& figures, std::size_t place);
// What one behind it does: "largest 1.0000, 4 of 5 rows change"; where it is a line, also in which number.
std::string following_words(const Results& results, const CompareFigures& figures, std::size_t place,
                            bool with_place);

// The first stage on screen that differs, as a place among those compared.
std::optional<std::size_t> first_on_screen(const Frame& frame, const CompareFigures& figures);
// The number that differs most: of weights, else of the first difference; of A. None: nothing can be
// compared.
std::optional<Spot> largest_change(const Results& results, const CompareFigures& figures);
// The same number of another column; none where it has none.
std::optional<Spot> same_number(const Results& results, const CompareFigures& figures, const Spot& spot,
                                std::size_t column);

// What B differs in, each a chip that takes it back.
void made_chips(Frame& frame, float left, float right);
// What B may differ in, each a chip that adds it or takes it back.
void difference_chips(Frame& frame, float left, float right);

}  // namespace attn
