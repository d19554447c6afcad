// What the families over pairs of a query and a key share on a device.
#pragma once

#include "core/opencl/workbench.h"

namespace attn::opencl {

// The grid of kernels with an item a query. `each`: steps of the loops at one query.
WorkSize by_query(const Workbench& bench, std::size_t queries, Steps each);

// How far apart the widths of neighbouring queries and keys stand; 0 where they are one.
struct WidthStrides {
  cl_ulong query = 0, key = 0;
};
WidthStrides strides_of(Shape widths);

}  // namespace attn::opencl
