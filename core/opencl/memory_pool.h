// MemoryPool: device memory that nobody holds any more, to be given out again. Where the device is the
// processor, new memory is made of new pages, and to write to these first takes longer than a light kernel
// does.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/opencl/opencl.h"
#include "core/system/budget.h"

namespace attn::opencl {

class MemoryPool;

// A buffer of its own, which returns to the pool with its last holder: commands are carried out in their
// order, so that those that still use it are done when the next ones begin. Whoever drops it last, the window
// say, waits for no driver while the pool is there.
struct DeviceMemory {
  cl::Buffer buffer;
  std::size_t bytes = 0;
  std::weak_ptr<MemoryPool> pool = {};
  float* mapped = nullptr;      // where it is read here; unmapped before it is given out again, or let go of
  cl::CommandQueue queue = {};  // that mapped it

  DeviceMemory(cl::Buffer of, std::size_t size, std::weak_ptr<MemoryPool> from)
      : buffer(std::move(of)), bytes(size), pool(std::move(from)) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
};

// Anything may be put there from any thread; what is taken from it, one thread takes: that of the device.
// What the budget has no room for is given out first, so that results which alone fill it are written over
// those before, in the same pages. For another size as much of it is let go as will be allocated.
class MemoryPool {
 public:
  explicit MemoryPool(Budget& budget, cl::CommandQueue queue = {})
      : budget_(budget), queue_(std::move(queue)) {}
  ~MemoryPool() { clear(); }
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  std::optional<cl::Buffer> take(std::size_t bytes);  // of that size
  void put(std::size_t bytes, cl::Buffer buffer, float* mapped);
  bool empty();
  void clear();
  void keep_to_budget();  // lets go of all that it has no room for
  void finish();          // until what was let go of is free

 private:
  struct Free {
    cl::Buffer buffer;
    float* mapped;
  };

  using FreeBySize = std::multimap<std::size_t, Free>;

  FreeBySize beyond(std::size_t bytes);  // taken out, so many bytes at least, or all
  void let_go(const FreeBySize& gone);   // not under the lock

  Budget& budget_;
  cl::CommandQueue queue_;
  std::mutex mutex_;
  FreeBySize free_;    // within the budget
  FreeBySize beyond_;  // it has no room for these, or they are too small to count
};

}  // namespace attn::opencl
