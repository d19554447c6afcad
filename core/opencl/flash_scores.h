// What the kernels of flash attention, there and back, are told of scores.
#pragma once

#include <optional>

#include "core/opencl/workbench.h"
#include "core/operations/flash_gradient.h"

namespace attn::opencl {

// What is done to a score, as flash_row.cl has it.
inline constexpr cl_uint kCapped = 1, kByOffset = 2, kBiased = 4, kMasked = 8, kWithOne = 16, kWeights = 32;
cl_uint what_of(const FlashAttention& op);

// What its rules leave each query; where one keeps keys apart, lists. Rows are the side that items compute.
struct KeptLists {
  cl::Buffer rows;          // n + 1 starts of lists, and the n rows in the order in which items take them
  cl::Buffer others;        // the lists: of each row those of the other side that it keeps
  std::size_t longest = 0;  // of the lists
};
struct KeptTable {
  cl::Buffer runs;  // of each query the first key and the end of its run, or of all its runs
  std::optional<KeptLists> lists = {};
};
KeptTable kept_table(Workbench& bench, const FlashAttention& op, std::size_t queries, std::size_t keys,
                     FlashSide rows = FlashSide::queries);

// A matrix whose rows are whole vectors of the device, with zeros behind.
struct WideRows {
  std::size_t columns;
  std::shared_ptr<DeviceMemory> memory;  // null: the matrix has such rows
  cl::Buffer buffer;
};
WideRows wide_rows(Workbench& bench, const Tensor& x);
// A row an item, `rows` of each matrix.
WorkSize listed_rows(const Workbench& bench, std::size_t rows, std::size_t matrices, Steps steps);
// Tiles of `wide` vectors, then of two, and of one (flash_tiles.cl), that so many are.
Steps tiles_across(Steps vectors, Steps wide);
// Of an item by lists: what it does with `others` of a row, which are as wide as d_wide and c_wide together
// and are read twice, at most.
Steps steps_of_list(const Workbench& bench, std::size_t others, std::size_t wide);

// The bias by distance, h×(n + m − 1 + BEHIND of flash_row.cl): of query i and key j at n − 1 − i + j.
std::shared_ptr<DeviceMemory> offset_table(Workbench& bench, const FlashAttention& op, Inputs inputs);

}  // namespace attn::opencl
