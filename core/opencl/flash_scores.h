// What the kernels of flash attention, there and back, are told of scores.
#pragma once

#include "core/opencl/workbench.h"
#include "core/operations/flash.h"

namespace attn::opencl {

// What is done to a score, as flash_row.cl has it.
inline constexpr cl_uint kCapped = 1, kByOffset = 2, kBiased = 4, kMasked = 8, kWithOne = 16, kWeights = 32;
cl_uint what_of(const FlashAttention& op);

// The run of keys that its rules leave each query.
cl::Buffer runs_of(Workbench& bench, const FlashAttention& op, std::size_t queries, std::size_t keys);

// The bias by distance, h×(n + m − 1 + BEHIND of flash_row.cl): of query i and key j at n − 1 − i + j.
std::shared_ptr<DeviceMemory> offset_table(Workbench& bench, const FlashAttention& op, Inputs inputs);

}  // namespace attn::opencl
