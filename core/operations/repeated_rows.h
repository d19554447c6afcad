// Rows that come again and again under longer matrices: what every sequence of a batch has added to it, and
// what flows back to that.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Y = X + B. X: S×(k·n)×d, k sequences of n rows below each other; B: 1×n×d. Row i has row i modulo n of B
// added.
struct AddRepeated {
  static constexpr const char* kName = "add_repeated";
  bool operator==(const AddRepeated&) const = default;
};

// Rows that are the same modulo `rows` added up, over all matrices: S×(k·rows)×d to 1×rows×d.
struct SumRepeated {
  static constexpr const char* kName = "sum_repeated";
  std::size_t rows = 1;
  bool operator==(const SumRepeated&) const = default;
};

}  // namespace attn
