// Each thing is asked for in the amount that a driver may want, and given back: limits and quotas show only
// then.
#include "core/opencl/trouble.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "core/system/disk_space.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kMemory = std::size_t{256} << 20;  // bytes
constexpr std::size_t kHandles = 48, kThreads = 8;

bool has_handles() {
  std::array<int, kHandles> handles{};
  std::size_t count = 0;
  while (count < kHandles && (handles[count] = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0) ++count;
  for (std::size_t i = 0; i < count; ++i) ::close(handles[i]);
  return count == kHandles;
}

// Address space under a limit, or, where the system does not over-commit, memory.
bool has_memory() {
  void* const block = ::mmap(nullptr, kMemory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return block != MAP_FAILED && ::munmap(block, kMemory) == 0;
}

bool has_threads() {
  std::vector<std::jthread> threads;
  try {
    for (std::size_t i = 0; i < kThreads; ++i)
      threads.emplace_back([](const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
      });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

}  // namespace

std::string passing_trouble(const std::vector<std::filesystem::path>& folders) {
  if (!has_handles()) return "the program has no file handles left";
  for (const std::filesystem::path& folder : folders)
    if (is_want_of_room(room_error(folder, kRoom))) return "there is no room left in " + folder.string();
  if (!has_memory()) return "there is no memory left";
  if (!has_threads()) return "no more threads can be started";
  return {};
}

bool machine_is_busy() {
  double load = 0;  // of the last minute
  return ::getloadavg(&load, 1) == 1 && load > 2.0 * std::thread::hardware_concurrency();
}

}  // namespace attn::opencl
