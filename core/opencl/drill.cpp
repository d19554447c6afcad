// The host side of the drills: how much of them a run is, and what it has to leave.
#include "core/opencl/drill.h"

#include <algorithm>
#include <memory>

#include "core/opencl/flash_tiles.h"
#include "core/system/error.h"
#include "core/system/memory.h"
#include "core/text/text.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kChains = 12, kStarts = 16;  // of drill.cl
constexpr cl_uint kSteps = 2048;                   // of a pass
constexpr std::size_t kMostPasses = 8000;  // 2^24 = 2048 · 8192: floats count no further, less the starts
constexpr std::size_t kDrillGroup = 64, kDrillItems = 1024;  // on GPUs: enough to hide every wait
constexpr std::size_t kItemsOfCore = 4;                      // so that no core waits for another for long

// Of one buffer: with its copy larger than the caches of processors, and some times as large as those of GPUs
// (50 MB, 126 MB), in which what was written last stays.
constexpr std::uint64_t kCopied = std::uint64_t{128} << 20, kCopiedOnGpu = std::uint64_t{256} << 20;
constexpr std::size_t kCopyGroup = 256,
                      kCopyItems = 2048;  // for each compute unit of a GPU: all it has room for
constexpr std::size_t kCopyVector = 4;

[[noreturn]] void wrong(const Workbench& bench, const std::string& what, float is, double should) {
  throw Error(device_name(bench.context().device()) + " computes wrong numbers: " + what + " left " +
                  shortest(is) + " where " + shortest(should) + " is right. Use another device",
              Fault::device);
}

// Calls look(numbers) with what a buffer holds.
void look(const Workbench& bench, const cl::Buffer& buffer, std::size_t count,
          const std::function<void(const float*)>& look_at) {
  const cl::CommandQueue& queue = bench.context().queue();
  void* mapped = queue.enqueueMapBuffer(buffer, CL_TRUE, CL_MAP_READ, 0, count * sizeof(float));
  try {
    look_at(static_cast<const float*>(mapped));
  } catch (const Error&) {
    queue.enqueueUnmapMemObject(buffer, mapped);
    throw;
  }
  queue.enqueueUnmapMemObject(buffer, mapped);
  queue.finish();
}

Steps steps_of(std::size_t passes) {
  return passes * kSteps * (1 + kChains) + 3 * kChains;
}

// Of one run, as far as the device makes the loop of its launch (loops.h); one at least, or the launch says
// why not.
std::size_t most_passes(Steps most) {
  if (most == kEndless) return kMostPasses;
  return std::clamp<std::size_t>(most / 2 / steps_of(1), 1, kMostPasses);
}

Drill multiply_add(Workbench& bench, Buffers& buffers) {
  const Context& context = bench.context();
  const std::size_t units = context.device().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  const bool groups = context.variant().groups;
  const std::size_t items = units * (groups ? kDrillItems : kItemsOfCore);
  const std::size_t lanes = context.float_lanes(), count = 2 * lanes * items;
  const auto range = [=](std::size_t passes) {
    return WorkSize{cl::NDRange(items), cl::NDRange(groups ? kDrillGroup : 1), steps_of(passes)};
  };
  const cl::Buffer results = buffers.allocate(count * sizeof(float));
  const auto ran = std::make_shared<std::size_t>(0);
  return {.unit = 2.0 * static_cast<double>(items * lanes * kChains) * kSteps,
          .most_passes = most_passes(context.variant().most_steps),
          .run =
              [=, &bench](std::size_t passes) {
                *ran = passes;
                bench.launch("drill", "multiply_add", range(passes), results, cl_float{1}, cl_float{1},
                             static_cast<cl_uint>(passes) * kSteps);
                bench.context().queue().finish();
              },
          .check =
              [=, &bench] {
                look(bench, results, count, [&](const float* numbers) {
                  for (std::size_t i = 0; i < count; ++i) {
                    const std::size_t item = i / (2 * lanes);
                    const auto right = static_cast<double>(item % kStarts + *ran * kSteps);
                    if (numbers[i] != right) wrong(bench, "multiplying and adding", numbers[i], right);
                  }
                });
              }};
}

// Half of the eighth that is free: a window and its results go on living along with it.
std::uint64_t copied_bytes(const cl::Device& device) {
  const std::uint64_t most = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  const std::uint64_t memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  if (is_gpu(device)) return std::min({kCopiedOnGpu, most, memory / 16});
  return std::min({kCopied, most, memory / 16, free_memory().bytes / 16});
}

void copy_once(Workbench& bench, std::size_t count, const cl::Buffer& from, const cl::Buffer& to) {
  if (!bench.context().variant().groups) return bench.launch_by_number("drill", "copy", 1, count, from, to);
  const std::size_t units = bench.context().device().getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  const std::size_t items = units * kCopyItems, vectors = count / kCopyVector;
  bench.launch("drill", "copy_vectors",
               WorkSize{cl::NDRange(items), cl::NDRange(kCopyGroup), divide_up(vectors, items)}, from, to,
               cl_ulong{vectors});
}

Drill copy(Workbench& bench, Buffers& buffers) {
  constexpr std::size_t kVectorBytes = kCopyVector * sizeof(float);
  const std::size_t count = copied_bytes(bench.context().device()) / kVectorBytes * kCopyVector;
  if (count == 0) return {};
  const cl::Buffer from = buffers.allocate(count * sizeof(float)),
                   to = buffers.allocate(count * sizeof(float));
  const auto seed = std::make_shared<cl_ulong>(0);
  // New numbers, so that what is there of the last run is wrong.
  const auto refill = [=, &bench] {
    bench.launch_by_number("drill", "fill", 1, count, from, *seed += 7919);
    bench.context().queue().finish();
  };
  refill();
  return {.unit = 2.0 * static_cast<double>(count * sizeof(float)),
          .most_passes = 1024,
          .run =
              [=, &bench](std::size_t passes) {
                for (std::size_t i = 0; i < passes; ++i) copy_once(bench, count, from, to);
                bench.context().queue().finish();
              },
          .check =
              [=, &bench] {
                constexpr std::size_t kStride = 61;  // some of every vector's places, and of every page
                look(bench, to, count, [&](const float* numbers) {
                  const auto check_at = [&](std::size_t i) {
                    const auto right = static_cast<double>((i + *seed) & 0xffff);
                    if (numbers[i] != right) wrong(bench, "copying", numbers[i], right);
                  };
                  for (std::size_t i = 0; i < count; i += kStride) check_at(i);
                  check_at(count - 1);
                });
                refill();
              }};
}

}  // namespace

Drill make_drill(Workbench& bench, Buffers& buffers, DrillKind kind) {
  bench.results_wanted(Numbers::here);
  return kind == DrillKind::copy ? copy(bench, buffers) : multiply_add(bench, buffers);
}

DeviceFacts facts_of(const Context& context, bool shares_memory) {
  const cl::Device& device = context.device();
  const Identity identity = identity_of(device);
  return {.version = identity.platform + " " + identity.driver,
          .memory = shares_memory ? 0 : std::uint64_t{device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>()},
          .largest = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>(),
          .flash_tiles = flash_tiles(context.variant()),
          .flash_choice = flash_choice(context.variant())};
}

}  // namespace attn::opencl
