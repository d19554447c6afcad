// Buffers by their size: layers are computed again and again, with the same shapes.
#include "core/opencl/memory_pool.h"

#include <utility>

namespace attn::opencl {
namespace {

constexpr std::size_t kLeastCounted = std::size_t{1} << 17;  // bytes; smaller memory is next to nothing

// A mapping keeps PoCL's buffer and its memory, whoever lets go of it.
void unmap(const cl::CommandQueue& queue, const cl::Buffer& buffer, float* mapped) noexcept {
  if (mapped) try {
      queue.enqueueUnmapMemObject(buffer, mapped);
    } catch (const cl::Error&) {  // of a device that is lost nothing comes back
    }
}

}  // namespace

DeviceMemory::~DeviceMemory() {
  if (const auto to = pool.lock())
    to->put(bytes, std::move(buffer), mapped);
  else
    unmap(queue, buffer, mapped);
}

void MemoryPool::let_go(const FreeBySize& gone) {
  for (const auto& [bytes, free] : gone) unmap(queue_, free.buffer, free.mapped);
}

void MemoryPool::finish() {
  if (queue_()) queue_.finish();
}

std::optional<cl::Buffer> MemoryPool::take(std::size_t bytes) {
  FreeBySize gone;
  std::optional<Free> taken;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = beyond_.find(bytes); found != beyond_.end()) {
      taken = std::move(beyond_.extract(found).mapped());
    } else if (const auto within = free_.find(bytes); within != free_.end()) {
      taken = std::move(free_.extract(within).mapped());
      budget_.set(Budget::pool, budget_.held(Budget::pool) - bytes);
    } else {
      gone = beyond(bytes);
    }
  }
  let_go(gone);
  if (!taken) return std::nullopt;
  if (taken->mapped) queue_.enqueueUnmapMemObject(taken->buffer, taken->mapped);
  return std::move(taken->buffer);
}

MemoryPool::FreeBySize MemoryPool::beyond(std::size_t bytes) {
  FreeBySize all;
  for (std::size_t sum = 0; sum < bytes && !beyond_.empty();) {
    auto next = beyond_.lower_bound(bytes - sum);
    if (next == beyond_.end()) --next;
    sum += next->first;
    all.insert(beyond_.extract(next));
  }
  return all;
}

void MemoryPool::put(std::size_t bytes, cl::Buffer buffer, float* mapped) {
  const std::lock_guard lock(mutex_);
  const bool within = bytes >= kLeastCounted && budget_.total() + bytes <= budget_.limit();
  (within ? free_ : beyond_).emplace(bytes, Free{std::move(buffer), mapped});
  if (within) budget_.set(Budget::pool, budget_.held(Budget::pool) + bytes);
}

bool MemoryPool::empty() {
  const std::lock_guard lock(mutex_);
  return free_.empty() && beyond_.empty();
}

void MemoryPool::keep_to_budget() {
  FreeBySize gone;
  {
    const std::lock_guard lock(mutex_);
    std::swap(gone, beyond_);
  }
  let_go(gone);
}

void MemoryPool::clear() {
  FreeBySize gone;
  {
    const std::lock_guard lock(mutex_);
    gone = std::exchange(free_, {});
    gone.merge(beyond_);
    budget_.set(Budget::pool, 0);
  }
  let_go(gone);
}

}  // namespace attn::opencl
