// How many numbers an item takes, on processors and on GPUs; results read back; factors as kernels take them.
#include "core/opencl/workbench.h"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/system/error.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kGroup = 64;  // items of a work-group on a GPU: fixed, so that nothing compiles twice
// Items of one dimension. PoCL compiles a second kernel for a dimension of 65,535 items or more.
constexpr std::size_t kMostItems = 16384;
constexpr std::size_t kChunk = 4096;  // numbers that are worth an item of a processor's queue

}  // namespace

// GPUs want many items that read side by side, processors few that have something to do. With 2^30 items a
// dimension still fits 32 bits when it is rounded up to whole groups.
std::size_t Workbench::column_chunk(std::size_t columns) const {
  if (context_.variant().groups) return std::max<std::size_t>(1, divide_up(columns, std::size_t{1} << 30));
  return std::max(kChunk, divide_up(columns, kMostItems));
}

WorkSize Workbench::by_number(const Extent& extent, std::size_t chunk) const {
  const auto [rows, columns, inner] = extent;
  const std::size_t across = divide_up(columns, chunk);
  const auto steps = [&, each = 1 + inner](std::size_t down) {
    return divide_up(rows, down) * (1 + std::min(chunk, columns) * each);
  };
  if (context_.variant().groups) {
    const std::size_t down = std::min(rows, kMostItems);
    return {cl::NDRange(divide_up(across, kGroup) * kGroup, down), cl::NDRange(kGroup, 1), steps(down)};
  }
  // Short rows share an item.
  const std::size_t shared = std::max<std::size_t>(1, kChunk / std::max<std::size_t>(1, columns));
  const std::size_t down = std::min(divide_up(rows, shared), kMostItems);
  return {cl::NDRange(across, down), cl::NDRange(1, 1), steps(down)};
}

// Half of what the device makes: to leave a loop may count as a step of it.
void Workbench::check_steps(const std::string& kernel, Steps steps) const {
  const Steps most = context_.variant().most_steps;
  if (most == kEndless || steps <= most / 2) return;
  throw LoopTooLong(device_name(context_.device()) + " leaves loops after " + std::to_string(most) +
                        " steps, and " + kernel + " may take " + std::to_string(steps) +
                        ". Use another device",
                    Fault::device);
}

void Workbench::record(Recording& recording, const std::function<void()>& work) {
  const Numbers wanted = std::exchange(wanted_, Numbers::there);
  recording_ = &recording;
  const auto end = [&] { recording_ = nullptr, wanted_ = wanted; };
  try {
    work();
  } catch (...) {
    end();
    throw;
  }
  end();
}

void Workbench::enqueue(const cl::Kernel& kernel, const WorkSize& range) {
  cl::Event done;
  context_.queue().enqueueNDRangeKernel(kernel, cl::NullRange, range.global, range.local, nullptr,
                                        wanted_ == Numbers::later ? &done : nullptr);
  if (wanted_ == Numbers::later) launches_.push_back(std::move(done));
}

std::shared_ptr<DeviceMemory> Workbench::take(std::size_t bytes) {
  if (!recording_) return buffers_.take(bytes);
  auto memory = buffers_.take(bytes, recording_->pool);
  recording_->hold(memory->buffer);
  return memory;
}

// Mapped, not copied by a read command: on a processor that costs nothing. Kernels may read what is mapped.
Tensor Workbench::compute(Shape shape, const std::function<void(const cl::Buffer&)>& fill) {
  std::shared_ptr<DeviceMemory> memory = std::exchange(result_in_, nullptr);
  if (shape.size() == 0) return {shape, {}};
  const std::size_t bytes = shape.size() * sizeof(float);
  DeviceTensor held{.memory = memory ? std::move(memory) : take(bytes)};
  launches_.clear();
  fill(held.memory->buffer);
  held.launches = std::exchange(launches_, {});
  if (wanted_ != Numbers::there) {
    held.memory->mapped = static_cast<float*>(context_.queue().enqueueMapBuffer(
        held.memory->buffer, wanted_ == Numbers::here, CL_MAP_READ, 0, bytes, nullptr, &held.ready));
    held.memory->queue = context_.queue();
  }
  const Tensor tensor = Tensor::on_device(shape, std::make_shared<const DeviceTensor>(std::move(held)));
  if (wanted_ != Numbers::here) return tensor;
  const Tensor here = read(tensor).tensor;
  buffers_.finished();
  return here;
}

Backend::TimedTensor Workbench::read(const Tensor& tensor) {
  const DeviceTensor& held = *static_cast<const DeviceTensor*>(tensor.held());
  context_.queue().flush();
  held.ready.wait();
  Backend::TimedTensor here;
  for (const cl::Event& launch : held.launches)
    here.seconds += 1e-9 * static_cast<double>(launch.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                               launch.getProfilingInfo<CL_PROFILING_COMMAND_START>());
  const std::span<const float> numbers(held.memory->mapped, tensor.shape().size());
  if (buffers_.are_in_place(numbers.size_bytes())) {
    here.tensor = tensor.brought_here(numbers, held.memory);
    return here;
  }
  here.tensor = tensor.brought_here({numbers.begin(), numbers.end()});
  context_.queue().enqueueUnmapMemObject(held.memory->buffer, std::exchange(held.memory->mapped, nullptr));
  buffers_.keep(here.tensor, held.memory);
  return here;
}

Factor split(double factor) {
  if (!std::isfinite(factor)) return {static_cast<cl_float>(factor), 0, 0};
  int exponent = 0;
  const double magnitude = std::abs(factor);
  if (magnitude != 0 && (magnitude > 0x1p100 || magnitude < 0x1p-100)) {
    // In [1, 2) when large and [1/2, 1) when small, so that no step overflows before the result does.
    factor = std::frexp(factor, &exponent);
    if (exponent > 0) {
      factor *= 2;
      --exponent;
    }
  }
  // A double's 53 bits in two floats of 24: what is lost is below 2^-48 of the factor.
  const cl_float high = static_cast<cl_float>(factor);
  return {high, static_cast<cl_float>(factor - static_cast<double>(high)), exponent};
}

cl_uint dimension(std::size_t size) {
  if (size > std::numeric_limits<cl_uint>::max())
    throw Error(
        "a matrix has " + std::to_string(size) + " rows or columns: more than OpenCL kernels here count",
        Fault::device);
  return static_cast<cl_uint>(size);
}

}  // namespace attn::opencl
