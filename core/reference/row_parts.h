// Some numbers of some rows, of results whose rows alone are dear.
#pragma once

#include <span>

#include "core/operations/operation.h"
#include "core/reference/operations.h"

namespace attn {

// 1×rows×columns: the columns from `first` on.
struct RowParts {
  std::size_t first = 0;
  Tensor numbers;
};

// Like run_rows. Operations that would make all of a row for some of its columns return all of it.
RowParts run_row_parts(const Operation& operation, Inputs inputs, std::span<const std::size_t> rows,
                       reference::ColumnChoice columns);

}  // namespace attn
