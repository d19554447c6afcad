// The self-test of one device: every operation against the reference, and the time of a small layer.
#pragma once

#include <functional>
#include <string>

#include "core/backend/backend.h"
#include "core/opencl/cases/cases.h"
#include "core/opencl/context.h"

namespace attn::opencl {

struct TestReport {
  bool passed = false;
  bool computed = false;        // to the end or to a wrong number; else something came in between
  bool passing = false;         // … that may not come the next time
  std::string verdict;          // "passed", or the first operation that isn't right
  double largest_error = 0;     // of Deviation
  double milliseconds = 0;      // of a small layer, kernels and inputs already on the device
  Steps most_steps = kEndless;  // of an item's loops
  FlashTiles flash_tiles = {};  // of a device that passed; none: not tuned
};

// Runs every kernel the device's variant uses, at the work-group sizes it uses, so that drivers which compile
// at the first launch have compiled. `progress` is told of each case that is right, for what comes next may
// take a while. Never throws for what the device does, save a crash of its driver.
TestReport self_test(const cl::Device& device, const std::function<void(const std::string&)>& progress);

// How far it makes loops.
Steps most_steps_of(const cl::Device& device, Variant variant);

Arithmetic arithmetic_of(const cl::Device& device, Variant variant);

}  // namespace attn::opencl
