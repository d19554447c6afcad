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
#include "core/opencl/recording.h"
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
  // A recording outlives its tensors.
  cl::Buffer input(const Tensor& tensor) {
    return recording_ && !tensor.held() ? buffers_.allocate(tensor.bytes(), tensor.data())
                                        : buffers_.get(tensor);
  }
  NormalStreams& normals() { return normals_; }

  // A small table that one launch reads. May be empty.
  template <class T>
  cl::Buffer table(const std::vector<T>& values) {
    return buffers_.allocate(values.size() * sizeof(T), values.data());
  }

  // Room for numbers that launches leave to each other; held until the last of them is enqueued.
  std::shared_ptr<DeviceMemory> scratch(std::size_t numbers) { return take(numbers * sizeof(float)); }

  // A tensor of `shape` that `fill` computes into the buffer it is given. An empty shape needs no device.
  Tensor compute(Shape shape, const std::function<void(const cl::Buffer&)>& fill);

  // A result that was wanted later; the device keeps its numbers too, unless it reads them where they lie.
  Backend::TimedTensor read(const Tensor& tensor);

  // Of results from here on.
  void results_wanted(Numbers wanted) { wanted_ = wanted; }

  // Where the next result is made, instead of in memory of its own.
  void result_in(std::shared_ptr<DeviceMemory> memory) { result_in_ = std::move(memory); }

  // What `work` would give the queue goes to the recording instead; its results stay on the device.
  void record(Recording& recording, const std::function<void()>& work);

  // Bytes of a buffer from there on, to the front of the result.
  void copy(const cl::Buffer& from, const cl::Buffer& to, std::size_t first, std::size_t bytes) {
    give([queue = context_.queue(), from, to, first, bytes] {
      queue.enqueueCopyBuffer(from, to, first, 0, bytes);
    });
  }

  // Sets the arguments and enqueues. Dimensions are cl_uint, cl_ulong, cl_long, cl_float or buffers, as the
  // kernel has. Throws LoopTooLong instead where the device would leave the loops of an item early.
  template <class... Arguments>
  void launch(const std::string& family, const std::string& name, const WorkSize& range,
              const Arguments&... arguments) {
    check_steps(name, range.steps);
    cl::Kernel kernel = recording_ ? context_.new_kernel(family, name) : context_.kernel(family, name);
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
    if (recording_) (recording_->hold(arguments), ...);
    give([this, kernel, range] { enqueue(kernel, range); });
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
  // To the queue at once, or to the recording.
  template <class Command>
  void give(Command command) {
    recording_ ? recording_->commands.push_back(std::move(command)) : command();
  }
  void enqueue(const cl::Kernel& kernel, const WorkSize& range);
  std::shared_ptr<DeviceMemory> take(std::size_t bytes);
  std::size_t column_chunk(std::size_t columns) const;
  WorkSize by_number(const Extent& extent, std::size_t chunk) const;
  void check_steps(const std::string& kernel, Steps steps) const;

  Context& context_;
  Buffers& buffers_;
  NormalStreams normals_;
  Numbers wanted_ = Numbers::here;
  std::vector<cl::Event> launches_;  // of the result that is read later
  Recording* recording_ = nullptr;
  std::shared_ptr<DeviceMemory> result_in_;
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
