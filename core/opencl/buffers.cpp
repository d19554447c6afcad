// A list in the order of last use, and an index into it. A tensor is copied to the device once; when the
// device is full, everything kept is let go and the allocation tried once more.
#include "core/opencl/buffers.h"

#include <algorithm>
#include <cassert>

namespace attn::opencl {

cl::Buffer Buffers::get(const Tensor& tensor) {
  if (tensor.held()) return static_cast<const DeviceTensor*>(tensor.held())->memory->buffer;
  if (are_in_place(tensor.bytes())) {
    read_in_place_.push_back(tensor);
    return {context_, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, tensor.bytes(),
            const_cast<float*>(tensor.data())};
  }
  if (const auto found = index_.find(tensor.id()); found != index_.end()) {
    entries_.splice(entries_.begin(), entries_, found->second);
    entries_.front().used = budget_.tick();
    return entries_.front().memory->buffer;
  }
  const cl::Buffer buffer = allocate(tensor.bytes(), tensor.data());
  keep(tensor, std::make_shared<DeviceMemory>(buffer, tensor.bytes(), pool_));
  return buffer;
}

std::shared_ptr<DeviceMemory> Buffers::take(std::size_t bytes, const std::shared_ptr<MemoryPool>& pool) {
  std::optional<cl::Buffer> free = pool->take(bytes);
  return std::make_shared<DeviceMemory>(free ? std::move(*free) : allocate(bytes), bytes, pool);
}

cl::Buffer Buffers::allocate(std::size_t bytes, const void* contents) {
  const std::size_t size = std::max<std::size_t>(bytes, sizeof(float));  // an empty buffer is not allowed
  const bool copies = contents != nullptr && bytes > 0;
  // COPY_HOST_PTR copies before it returns: `contents` may go then, although the queue has not run yet.
  const auto create = [&] {
    return copies ? cl::Buffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size,
                               const_cast<void*>(contents))
                  : cl::Buffer(context_, CL_MEM_READ_WRITE, size);
  };
  try {
    return create();
  } catch (const cl::Error& error) {
    if (error.err() != CL_MEM_OBJECT_ALLOCATION_FAILURE || !oldest_use()) throw;
  }
  while (oldest_use()) release_oldest();
  pool_->finish();
  return create();
}

void Buffers::keep(const Tensor& tensor, std::shared_ptr<DeviceMemory> memory) {
  assert(!index_.contains(tensor.id()));
  bytes_ += memory->bytes;
  entries_.push_front({tensor.id(), std::move(memory), budget_.tick()});
  index_[tensor.id()] = entries_.begin();
  budget_.set(Budget::device, bytes_);
  // Within one evaluation nobody else trims; a buffer still in use lives on in the launch that holds it.
  while (budget_.must_drop(Budget::device) && entries_.size() > 1) release_oldest();
}

std::optional<std::uint64_t> Buffers::oldest_use() const {
  if (!pool_->empty()) return 0;
  if (entries_.empty()) return std::nullopt;
  return entries_.back().used;
}

void Buffers::release(TensorId id) {
  const auto found = index_.find(id);
  if (found == index_.end()) return;
  bytes_ -= found->second->memory->bytes;
  entries_.erase(found->second);
  index_.erase(found);
  budget_.set(Budget::device, bytes_);
}

void Buffers::release_oldest() {
  if (!pool_->empty()) return pool_->clear();
  if (!entries_.empty()) release(entries_.back().id);
}

}  // namespace attn::opencl
