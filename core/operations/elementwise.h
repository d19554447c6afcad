// Number by number: scaling, adding, and replacing single numbers.
#pragma once

#include <vector>

#include "core/operations/traits.h"

namespace attn {

// Y = factor·X, any shape. `text` says where the factor comes from ("1/√4 ÷ 6").
struct Scale {
  static constexpr const char* kName = "scale";
  double factor = 1;
  std::string text;
  bool operator==(const Scale&) const = default;
};

// Y = X + B. X: h×n×m; B: the same, or fewer matrices shared by consecutive heads (1×n×m: by all).
struct Add {
  static constexpr const char* kName = "add";
  bool operator==(const Add&) const = default;
};

// Y = X ⊙ B. X: S×n×m; B: as in Add, or with one number for each row (columns 1), or one for each matrix or
// for all (rows and columns 1). A 0 of either makes a 0, whatever the other is.
struct Multiply {
  static constexpr const char* kName = "multiply";
  bool operator==(const Multiply&) const = default;
};

struct CellValue {
  Cell cell;
  float value = 0;
  bool operator==(const CellValue& other) const {  // by bits, as tensors compare
    return cell == other.cell && std::memcmp(&value, &other.value, sizeof value) == 0;
  }
};

// Y = X with the listed cells replaced: "what if this weight were 0.9?" Later entries win.
struct Override {
  static constexpr const char* kName = "override";
  std::vector<CellValue> cells;
  bool operator==(const Override&) const = default;
};

// Other families' operations have the same.
Shape result_shape(const Add& op, Shapes inputs);  // throws Error when the shapes differ
Regions reach(const Add& op, Shapes inputs, std::size_t input, Cell cell);

bool is_typed(const Override& op, Cell cell);  // whether it replaces the cell
// Of an input 1 whose matrices consecutive heads share: the cell that goes into this one of the result.
Cell shared_cell(Inputs inputs, Cell cell);

}  // namespace attn
