// Lines of the checks that have a file of their own, and what all lines share. Private to the panel.
#pragma once

#include <optional>
#include <string>

#include "app/inspector/checks_panel.h"

namespace attn::inspector {

inline std::string place(const Spot& spot) {
  return "row " + std::to_string(spot.cell.row) + " of head " + std::to_string(spot.cell.head);
}

inline std::string id_of(const Results& results, StageIndex stage) {
  return results.graph.stages[stage].id;
}

// Of the weights with the row that is farthest off, and of the row in question where all hold.
CheckLine row_sum_line(const Results& results, const Checks& checks, StageIndex weights,
                       const CheckedRow& row);
// The same row where chance has passed over it: it sums to what that left.
std::optional<CheckLine> chance_line(const Results& results, StageIndex weights, const CheckedRow& row);

inline constexpr const char* kLargest = "largest weight";
// How far rows have gone towards a single key, and which key takes most of a head.
void add_saturation(std::vector<CheckLine>& lines, const Results& results, const SoftmaxChecks& softmax);
CheckLine entropy_line(std::string name, const Entropy& entropy);

}  // namespace attn::inspector
