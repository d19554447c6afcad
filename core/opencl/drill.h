// What a device is measured by: its drills (shaders/drill.cl), and what it says of itself.
#pragma once

#include "core/backend/drill.h"
#include "core/opencl/workbench.h"

namespace attn::opencl {

// Throws cl::Error, as do its functions; Error(Fault::device) where a result is wrong.
Drill make_drill(Workbench& bench, Buffers& buffers, DrillKind kind);

// `shares_memory`: with the machine.
DeviceFacts facts_of(const Context& context, bool shares_memory);

}  // namespace attn::opencl
