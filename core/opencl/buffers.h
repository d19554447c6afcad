// Buffers: device memory kept by tensor id, least recently used out first. A processor reads large tensors
// where they lie.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/opencl/memory_pool.h"
#include "core/opencl/opencl.h"
#include "core/system/budget.h"
#include "core/tensor/tensor.h"

namespace attn::opencl {

// What a tensor that was left on the device holds (Tensor::held()).
struct DeviceTensor {
  std::shared_ptr<DeviceMemory> memory;
  cl::Event ready = {};                  // to be read where it is mapped
  std::vector<cl::Event> launches = {};  // that compute it
};

class Buffers {
 public:
  // `in_place`: the device is this program's processor.
  Buffers(const cl::Context& context, const cl::CommandQueue& queue, Budget& budget, bool in_place = false)
      : context_(context),
        budget_(budget),
        in_place_(in_place),
        pool_(std::make_shared<MemoryPool>(budget, queue)) {}
  ~Buffers() { budget_.set(Budget::device, 0); }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  // The buffer that holds this tensor; copied to the device when it isn't there yet. Of a tensor that lives
  // on a device alone, its own. One that is read where it lies stays there until finished().
  cl::Buffer get(const Tensor& tensor);
  // Whether a tensor of so many bytes is read where it lies, and a result of so many is one: to copy it takes
  // as long as a light kernel, and the budget may have no room for copies of all weights of a stack. Small
  // ones are copied: that is less work than a buffer for every launch.
  bool are_in_place(std::size_t bytes) const { return in_place_ && bytes >= kLeastInPlace; }
  bool in_place() const { return in_place_; }
  // The device has done all that it was given.
  void finished() { read_in_place_.clear(), pool_->keep_to_budget(); }
  // Device memory of its own, not yet kept. A full device gives up what is kept and is asked once more.
  cl::Buffer allocate(std::size_t bytes, const void* contents = nullptr);
  // The same without contents, from a pool where that has some.
  std::shared_ptr<DeviceMemory> take(std::size_t bytes) { return take(bytes, pool_); }
  std::shared_ptr<DeviceMemory> take(std::size_t bytes, const std::shared_ptr<MemoryPool>& pool);
  // Keeps a computed tensor's memory.
  void keep(const Tensor& tensor, std::shared_ptr<DeviceMemory> memory);

  // Lets a tensor's buffer go, if there is one.
  void release(TensorId id);

  std::size_t bytes() const { return bytes_; }
  // What nobody holds is older than everything else, and is released first.
  std::optional<std::uint64_t> oldest_use() const;
  void release_oldest();

 private:
  struct Entry {
    TensorId id;
    std::shared_ptr<DeviceMemory> memory;
    std::uint64_t used;
  };
  using Entries = std::list<Entry>;  // most recently used first
  static constexpr std::size_t kLeastInPlace = std::size_t{1} << 16;

  cl::Context context_;
  Budget& budget_;
  bool in_place_;
  std::vector<Tensor> read_in_place_;  // by launches that may not have run
  std::shared_ptr<MemoryPool> pool_;
  Entries entries_;
  std::unordered_map<TensorId, Entries::iterator> index_;
  std::size_t bytes_ = 0;
};

}  // namespace attn::opencl
