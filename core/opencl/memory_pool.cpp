// Buffers by their size: layers are computed again and again, with the same shapes.
#include "core/opencl/memory_pool.h"

#include <utility>

namespace attn::opencl {
namespace {

constexpr std::size_t kLeastPooled = std::size_t{1} << 17;  // bytes; smaller memory costs next to nothing

}  // namespace

DeviceMemory::~DeviceMemory() {
  if (const auto to = pool.lock()) to->put(bytes, std::move(buffer), mapped);
}

std::optional<cl::Buffer> MemoryPool::take(std::size_t bytes) {
  std::vector<Free> let_go;
  std::optional<Free> taken;
  {
    const std::lock_guard lock(mutex_);
    std::swap(let_go, too_much_);
    if (const auto found = free_.find(bytes); found != free_.end()) {
      taken = std::move(found->second);
      free_.erase(found);
      budget_.set(Budget::pool, budget_.held(Budget::pool) - bytes);
    }
  }
  if (!taken) return std::nullopt;
  if (taken->mapped) queue_.enqueueUnmapMemObject(taken->buffer, taken->mapped);
  return std::move(taken->buffer);
}

void MemoryPool::put(std::size_t bytes, cl::Buffer buffer, float* mapped) {
  const std::lock_guard lock(mutex_);
  if (bytes < kLeastPooled || budget_.total() + bytes > budget_.limit()) {
    too_much_.push_back({std::move(buffer), mapped});
    return;
  }
  free_.emplace(bytes, Free{std::move(buffer), mapped});
  budget_.set(Budget::pool, budget_.held(Budget::pool) + bytes);
}

bool MemoryPool::empty() {
  const std::lock_guard lock(mutex_);
  return free_.empty() && too_much_.empty();
}

void MemoryPool::clear() {
  std::vector<Free> let_go;
  std::multimap<std::size_t, Free> all;
  const std::lock_guard lock(mutex_);
  std::swap(let_go, too_much_);
  std::swap(all, free_);
  budget_.set(Budget::pool, 0);
}

}  // namespace attn::opencl
