// Queries, keys and widths to regress with, difficult ones among them. For the families' declarations.
#pragma once

#include "core/opencl/cases/cases.h"
#include "core/operations/kernel_row.h"

namespace attn::opencl {

struct PointSet {
  std::string name;
  Tensor queries, keys;  // columns
};
std::vector<PointSet> point_sets(Scope scope);

// One for all; in a comparison also one for each query, for each key and for each pair.
std::vector<Tensor> widths_for(Scope scope, std::size_t queries, std::size_t keys);

// How far the exponent of key j less that of `best`, the largest, may be off.
double exponent_error(const KernelRow<float>& row, Kernel kernel, std::size_t j, std::size_t best,
                      const Arithmetic& arithmetic);

}  // namespace attn::opencl
