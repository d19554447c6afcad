// Recording: what a queue would have been given, to be given to it many times.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/opencl/memory_pool.h"
#include "core/opencl/opencl.h"

namespace attn::opencl {

struct Recording {
  std::shared_ptr<MemoryPool> pool;  // where its results and its scratch come from
  std::vector<std::function<void()>> commands = {};
  std::map<cl_mem, cl::Buffer> buffers = {};  // that they use: a kernel does not keep those of its arguments

  template <class Argument>
  void hold(const Argument& argument) {
    if constexpr (std::is_same_v<Argument, cl::Buffer>) buffers.try_emplace(argument(), argument);
  }
};

}  // namespace attn::opencl
