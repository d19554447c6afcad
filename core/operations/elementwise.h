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

Shape result_shape(const Scale& op, Shapes inputs);
Shape result_shape(const Add& op, Shapes inputs);       // throws Error when the shapes differ
Shape result_shape(const Override& op, Shapes inputs);  // throws Error when a cell lies outside
Explanation explain(const Scale& op, Inputs inputs, Cell cell);
Explanation explain(const Add& op, Inputs inputs, Cell cell);
Explanation explain(const Override& op, Inputs inputs, Cell cell);
Regions reach(const Scale& op, Shapes inputs, std::size_t input, Cell cell);
Regions reach(const Add& op, Shapes inputs, std::size_t input, Cell cell);
Regions reach(const Override& op, Shapes inputs, std::size_t input, Cell cell);
Traits traits(const Scale& op, Shapes inputs, const Shape& result);
Traits traits(const Add& op, Shapes inputs, const Shape& result);
Traits traits(const Override& op, Shapes inputs, const Shape& result);
Hiding hiding(const Scale& op, Inputs inputs, Cell cell);
Hiding hiding(const Add& op, Inputs inputs, Cell cell);
Hiding hiding(const Override& op, Inputs inputs, Cell cell);

bool is_typed(const Override& op, Cell cell);  // whether it replaces the cell
// Of an input 1 whose matrices consecutive heads share: the cell that goes into this one of the result.
Cell shared_cell(Inputs inputs, Cell cell);

}  // namespace attn
