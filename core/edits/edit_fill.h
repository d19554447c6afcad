// Numbers to fill a block of a matrix with.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "core/operations/elementwise.h"
#include "core/operations/explain.h"
#include "core/text/expression.h"

namespace attn {

enum class FillKind {
  zeros,
  identity,  // 1 where row and column of the matrix are equal
  normal,    // N(0, 1)
  uniform,   // from 0 to 1
  one_hot,   // a single 1 in each row of the block, at a random column
};

// The same seed gives the same numbers everywhere; a cell's number depends on its place, not on the block.
std::vector<CellValue> fill_cells(FillKind kind, std::uint64_t seed, const Region& block);

// The formula of i (row) and j (column) for each cell; the error of the first cell that has none.
std::variant<std::vector<CellValue>, TextError> formula_cells(std::string_view formula, const Region& block);

}  // namespace attn
