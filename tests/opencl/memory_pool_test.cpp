// What the pool gives out again, and what it lets go of: counted by who holds a buffer.
#include "core/opencl/memory_pool.h"

#include <doctest/doctest.h>

#include "tests/opencl/opened.h"

using namespace attn;
using namespace attn::opencl;

namespace {

constexpr std::size_t kKiB = 1024;

struct PoolLab {
  explicit PoolLab(std::size_t limit) : budget(limit) {}

  // Of another in the pool, which holds it as this does.
  cl::Buffer put(std::size_t bytes) {
    cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
    pool.put(bytes, buffer, nullptr);
    return buffer;
  }
  bool has(const cl::Buffer& buffer) const { return buffer.getInfo<CL_MEM_REFERENCE_COUNT>() == 2; }
  cl_mem take(std::size_t bytes) {
    const auto buffer = pool.take(bytes);
    return buffer ? buffer->get() : nullptr;
  }

  // As a result that was read where it lies.
  cl::Buffer put_mapped(std::size_t bytes) {
    cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
    pool.put(bytes, buffer, static_cast<float*>(queue.enqueueMapBuffer(buffer, true, CL_MAP_READ, 0, bytes)));
    return buffer;
  }
  // No mapping holds it either.
  bool gone(const cl::Buffer& buffer) {
    queue.finish();
    return buffer.getInfo<CL_MEM_REFERENCE_COUNT>() == 1;
  }

  cl::Context context{test_devices().at(0)};
  cl::CommandQueue queue{context};
  Budget budget;
  MemoryPool pool{budget, queue};
};

}  // namespace

TEST_CASE("What the budget has no room for is given out before what it has, and again") {
  PoolLab lab(1024 * kKiB);
  const cl::Buffer within = lab.put(768 * kKiB), beyond = lab.put(768 * kKiB);
  CHECK(lab.budget.held(Budget::pool) == 768 * kKiB);
  CHECK(lab.take(768 * kKiB) == beyond.get());
  CHECK(lab.budget.held(Budget::pool) == 768 * kKiB);
  CHECK(lab.take(768 * kKiB) == within.get());
  CHECK(lab.budget.held(Budget::pool) == 0);
  CHECK(lab.take(768 * kKiB) == nullptr);
  CHECK(lab.pool.empty());
}

TEST_CASE("For another size as much is let go as will be allocated, beyond the budget alone") {
  PoolLab lab(512 * kKiB);
  const cl::Buffer within = lab.put(512 * kKiB), small = lab.put(256 * kKiB), large = lab.put(1024 * kKiB);
  CHECK(lab.take(300 * kKiB) == nullptr);
  CHECK((lab.has(within) && lab.has(small) && !lab.has(large)));
  const cl::Buffer other = lab.put(256 * kKiB);
  CHECK(lab.take(2048 * kKiB) == nullptr);
  CHECK((lab.has(within) && !lab.has(small) && !lab.has(other)));
  CHECK(lab.budget.held(Budget::pool) == 512 * kKiB);
}

TEST_CASE("The pool keeps to the budget when it is told to, and nothing when it is cleared") {
  PoolLab lab(512 * kKiB);
  const cl::Buffer within = lab.put(512 * kKiB), beyond = lab.put(512 * kKiB), tiny = lab.put(kKiB);
  lab.pool.keep_to_budget();
  CHECK((lab.has(within) && !lab.has(beyond) && !lab.has(tiny)));
  const cl::Buffer another = lab.put(512 * kKiB);
  lab.pool.clear();
  CHECK((!lab.has(within) && !lab.has(another)));
  CHECK(lab.budget.held(Budget::pool) == 0);
  CHECK(lab.pool.empty());
}

TEST_CASE("What is let go of does not stay mapped, and so in memory") {
  PoolLab lab(512 * kKiB);
  const cl::Buffer large = lab.put_mapped(1024 * kKiB);
  CHECK_FALSE(lab.gone(large));
  CHECK(lab.take(300 * kKiB) == nullptr);
  CHECK(lab.gone(large));
  const cl::Buffer within = lab.put_mapped(512 * kKiB), beyond = lab.put_mapped(512 * kKiB);
  lab.pool.keep_to_budget();
  CHECK((lab.gone(beyond) && !lab.gone(within)));
  lab.pool.clear();
  CHECK(lab.gone(within));
}

TEST_CASE("A result that outlives its pool does not stay mapped either") {
  PoolLab lab(512 * kKiB);
  const cl::Buffer buffer(lab.context, CL_MEM_READ_WRITE, kKiB);
  auto memory = std::make_unique<DeviceMemory>(buffer, kKiB, std::weak_ptr<MemoryPool>());
  memory->mapped = static_cast<float*>(lab.queue.enqueueMapBuffer(buffer, true, CL_MAP_READ, 0, kKiB));
  memory->queue = lab.queue;
  memory.reset();
  CHECK(lab.gone(buffer));
}
