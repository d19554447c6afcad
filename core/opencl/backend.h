// The OpenCL backend of one device. Devices are chosen in devices.h; tests and the self-test open one here.
#pragma once

#include <memory>

#include "core/backend/backend.h"
#include "core/opencl/context.h"
#include "core/system/budget.h"

namespace attn::opencl {

// Throws Error(Fault::device) when the device cannot be opened.
std::unique_ptr<Backend> make_backend(const cl::Device& device, Variant variant, Budget& budget);

}  // namespace attn::opencl
