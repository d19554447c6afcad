// The loop is some times as long as where any driver known to leave one does so: about a millisecond.
#include "core/opencl/loops.h"

#include "core/opencl/workbench.h"

namespace attn::opencl {
namespace {

constexpr Steps kAsked = Steps{1} << 18;

}  // namespace

// The generator has a period of 2^32: no number comes twice.
Steps steps_to(std::uint32_t number, Steps asked) {
  std::uint32_t reached = 0;
  Steps steps = 0;
  while (reached != number && steps < asked) {
    reached = reached * 1664525u + 1013904223u;
    ++steps;
  }
  return reached == number ? steps : 0;
}

Steps measure_steps(Workbench& bench) {
  bench.results_wanted(Numbers::here);
  const Tensor halves = bench.compute({1, 1, 2}, [&](const cl::Buffer& y) {
    bench.launch("loops", "long_loop", {cl::NDRange(1), cl::NDRange(1), 0}, y, static_cast<cl_uint>(kAsked));
  });
  const auto half = [&](std::size_t i) { return static_cast<std::uint32_t>(halves.values()[i]); };
  const Steps steps = steps_to(half(0) | half(1) << 16, kAsked);
  return steps == kAsked ? kEndless : steps;
}

}  // namespace attn::opencl
