// Every operation of the reference, for float stages (computed in double, rounded once) and double stages.
// Shapes are those of result_shape; the caller has checked them.
#pragma once

#include <span>

#include "core/operations/operation.h"

namespace attn::reference {

// Which rows of a result are asked for, counted through its matrices (head·rows + row), ascending. Empty:
// all.
using RowChoice = std::span<const std::size_t>;

// Which columns of these rows. None: all.
struct ColumnChoice {
  std::size_t first = 0, count = 0;
};

template <class T>
struct TensorsOf : std::span<const BasicTensor<T>> {
  TensorsOf(std::span<const BasicTensor<T>> tensors, RowChoice rows_asked_for = {},
            ColumnChoice columns_asked_for = {})
      : std::span<const BasicTensor<T>>(tensors), rows(rows_asked_for), columns(columns_asked_for) {}
  RowChoice rows;
  ColumnChoice columns;
};

// Declared once for all operations: each family's file writes compute() for its own and instantiates this
// (family.h). The program does not link without it. Where rows are chosen the result is one matrix of them,
// unless a family does not bother and returns the whole; the same of columns.
template <class Op>
struct Reference {
  static BasicTensor<float> run(const Op& op, TensorsOf<float> inputs);
  static BasicTensor<double> run(const Op& op, TensorsOf<double> inputs);
};

}  // namespace attn::reference
