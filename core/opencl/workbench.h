// Workbench: what the host side of an operation uses: its inputs on the device, a launch, a result read back.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/opencl/buffers.h"
#include "core/opencl/context.h"
#include "core/tensor/random.h"

namespace attn::opencl {

struct WorkSize {
  cl::NDRange global, local;
  Steps steps;  // of an item's loops, at most, as if no compiler had unrolled any
};

// What a kernel that works number by number goes over.
struct Extent {
  std::size_t rows, columns;
  Steps inner = 0;  // steps of the loops at one number
};

class Workbench {
 public:
  Workbench(Context& context, Buffers& buffers) : context_(context), buffers_(buffers) {}

  const Context& context() const { return context_; }
  cl::Buffer input(const Tensor& tensor) { return buffers_.get(tensor); }
  NormalStreams& normals() { return normals_; }

  // A small table that one launch reads. May be empty.
  template <class T>
  cl::Buffer table(const std::vector<T>& values) {
    return buffers_.allocate(values.size() * sizeof(T), values.data());
  }

  // Room for numbers that launches leave to each other; held until the last of them is enqueued.
  std::shared_ptr<DeviceMemory> scratch(std::size_t numbers) {
    return buffers_.take(numbers * sizeof(float));
  }

  // A tensor of `shape` that `fill` computes into the buffer it is given. An empty shape needs no device.
  Tensor compute(Shape shape, const std::function<void(const cl::Buffer&)>& fill);

  // A result that was wanted later; the device keeps its numbers too.
  Backend::TimedTensor read(const Tensor& tensor);

  // Of results from here on.
  void results_wanted(Numbers wanted) { wanted_ = wanted; }

  // Sets the arguments and enqueues. Dimensions are cl_uint, cl_ulong, cl_long, cl_float or buffers, as the
  // kernel has. Throws LoopTooLong instead where the device would leave the loops of an item early.
  template <class... Arguments>
  void launch(const std::string& family, const std::string& name, const WorkSize& range,
              const Arguments&... arguments) {
    check_steps(name, range.steps);
    cl::Kernel& kernel = context_.kernel(family, name);
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
    cl::Event done;
    context_.queue().enqueueNDRangeKernel(kernel, cl::NullRange, range.global, range.local, nullptr, &done);
    if (wanted_ == Numbers::later) launches_.push_back(std::move(done));
  }

  // Launches a kernel that works number by number over rows × columns (shaders/elementwise.cl), whose last
  // three arguments are rows, columns and the columns of one item.
  template <class... Arguments>
  void launch_by_number(const std::string& family, const std::string& name, std::size_t rows,
                        std::size_t columns, const Arguments&... arguments) {
    launch_by_number(family, name, Extent{rows, columns}, arguments...);
  }
  template <class... Arguments>
  void launch_by_number(const std::string& family, const std::string& name, const Extent& extent,
                        const Arguments&... arguments) {
    const std::size_t chunk = column_chunk(extent.columns);
    launch(family, name, by_number(extent, chunk), arguments..., static_cast<cl_ulong>(extent.rows),
           static_cast<cl_ulong>(extent.columns), static_cast<cl_ulong>(chunk));
  }

 private:
  std::size_t column_chunk(std::size_t columns) const;
  WorkSize by_number(const Extent& extent, std::size_t chunk) const;
  void check_steps(const std::string& kernel, Steps steps) const;

  Context& context_;
  Buffers& buffers_;
  NormalStreams normals_;
  Numbers wanted_ = Numbers::here;
  std::vector<cl::Event> launches_;  // of the result that is read later
};

// A double factor as shaders/scale.cl takes it: (high + low)·2^exponent.
struct Factor {
  cl_float high, low;
  cl_int exponent;
};
Factor split(double factor);

// A dimension as kernels take it; throws Error(Fault::device) beyond 2^32 − 1.
cl_uint dimension(std::size_t size);

inline std::size_t divide_up(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

}  // namespace attn::opencl
