// Rows of a table by their numbers, as tokens become vectors, and what flows back to the table.
#pragma once

#include <optional>

#include "core/operations/traits.h"

namespace attn {

// Inputs a table, 1×V×d, and ids, 1×n×1, numbers of its rows: row i of the result, 1×n×d, is the table's row
// ids[i]. An id that is no row's number makes its row NaN.
struct Embedding {
  static constexpr const char* kName = "embedding";
  bool operator==(const Embedding&) const = default;
};

// Inputs G, the gradient of the result, 1×n×d, and the ids. Of so many rows of the table, from `first` on,
// 1×rows×d: the sum of G's rows with this id, 0 where there is none. An id that is no row's number adds
// nothing.
struct EmbeddingGradient {
  static constexpr const char* kName = "embedding_gradient";
  std::size_t rows = 0, first = 0;
  bool operator==(const EmbeddingGradient&) const = default;
};

// The row that an id names.
std::optional<std::size_t> embedded_row(double id, std::size_t rows);

}  // namespace attn
