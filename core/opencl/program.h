// A program of OpenCL: the launches of every stage, recorded once with their arguments.
#pragma once

#include <memory>

#include "core/backend/program.h"
#include "core/opencl/open_device.h"

namespace attn::opencl {

// Of a device that runs all loops to their end. Throws Error(Fault::device) when it fails.
std::unique_ptr<Program> make_program(std::shared_ptr<OpenDevice> device, const Graph& graph,
                                      std::span<const StageIndex> kept);

}  // namespace attn::opencl
