// Every operation of the reference, for float stages (computed in double, rounded once) and double stages.
// Shapes are those of result_shape; the caller has checked them.
#pragma once

#include <span>

#include "core/operation.h"

namespace attn::reference {

template <class T>
struct TensorsOf : std::span<const BasicTensor<T>> {
  TensorsOf(std::span<const BasicTensor<T>> tensors) : std::span<const BasicTensor<T>>(tensors) {}
};

// Declared once for all operations: each family's file writes compute() for its own and instantiates this
// (family.h). The program does not link without it.
template <class T, class Op>
BasicTensor<T> run(const Op& op, TensorsOf<T> inputs);

}  // namespace attn::reference
