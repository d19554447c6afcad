// Memory that is short: a limit over the address space of this process, for as long as it lives. Not under a
// sanitizer (tests/sanitized.h), which takes all there is of it.
#pragma once

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace attn::tests {

class LimitedMemory {
 public:
  // Bytes on top of what is in use.
  explicit LimitedMemory(std::uint64_t free) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    REQUIRE(getrlimit(RLIMIT_AS, &before_) == 0);
    const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const rlimit little{used + free, before_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_AS, &little) == 0);
  }
  ~LimitedMemory() { setrlimit(RLIMIT_AS, &before_); }
  LimitedMemory(const LimitedMemory&) = delete;
  LimitedMemory& operator=(const LimitedMemory&) = delete;

 private:
  rlimit before_{};
};

}  // namespace attn::tests
