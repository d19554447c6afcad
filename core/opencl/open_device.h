// A device that is open: what its backend computes with, and its programs, which may outlive that.
#pragma once

#include <string>

#include "core/opencl/workbench.h"

namespace attn::opencl {

// Each member uses those before it.
struct OpenDevice {
  std::string name;
  Budget& budget;
  Context context;
  Buffers buffers;
  Workbench bench;

  OpenDevice(const cl::Device& device, Variant variant, Budget& shared)
      : name(device_name(device)),
        budget(shared),
        context(device, variant),
        buffers(context.context(), context.queue(), shared, !is_gpu(device)),
        bench(context, buffers) {}

  // The operation's result. Throws cl::Error when the device fails.
  Tensor run(const Operation& operation, Inputs inputs);

  // What a driver answers instead of working becomes Error(Fault::device): it failed in `what`.
  template <class Work>
  auto in_words(const std::string& what, const Work& work) const {
    try {
      return work();
    } catch (const cl::Error& error) {
      throw device_error(name, what, error);
    }
  }
};

}  // namespace attn::opencl
