// Buffers by their size: layers are computed again and again, with the same shapes.
#include "core/opencl/memory_pool.h"

#include <utility>

namespace attn::opencl {
namespace {

constexpr std::size_t kLeastPooled = std::size_t{1} << 17;  // bytes; smaller memory costs next to nothing

}  // namespace

DeviceMemory::~DeviceMemory() {
  if (mapped) return;
  if (const auto to = pool.lock()) to->put(bytes, std::move(buffer));
}

std::optional<cl::Buffer> MemoryPool::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = free_.find(bytes);
  if (found == free_.end()) return std::nullopt;
  cl::Buffer buffer = std::move(found->second);
  free_.erase(found);
  budget_.set(Budget::pool, budget_.held(Budget::pool) - bytes);
  return buffer;
}

void MemoryPool::put(std::size_t bytes, cl::Buffer buffer) {
  const std::lock_guard lock(mutex_);
  if (bytes < kLeastPooled || budget_.total() + bytes > budget_.limit()) return;
  free_.emplace(bytes, std::move(buffer));
  budget_.set(Budget::pool, budget_.held(Budget::pool) + bytes);
}

bool MemoryPool::clear() {
  const std::lock_guard lock(mutex_);
  budget_.set(Budget::pool, 0);
  return !std::exchange(free_, {}).empty();
}

}  // namespace attn::opencl
