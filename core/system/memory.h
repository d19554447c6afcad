// Memory that is free: what a large computation is held against before it begins.
#pragma once

#include <cstdint>
#include <string>

namespace attn {

struct FreeMemory {
  std::uint64_t bytes = UINT64_MAX;  // as many as can be asked for; the largest number: nobody says
  std::string where = {};  // they are free: "in this machine", "under this process's limit (ulimit -v)"
};

// The least of what the machine has available, what the control groups of this process (both versions, with
// those above it) leave, and what its own limits leave. Caches of files count as free: the system gives them
// up. `root`: where /proc and /sys are, for tests.
FreeMemory free_memory(const std::string& root = "");

// From here on matrices of 4 MiB and more go back to the system when they are let go of. Otherwise the C
// library takes the first that is freed as a reason to keep the next ones, in gaps that few others fit. To be
// called before there are threads.
void give_back_large_matrices();

// Returns to the system what was let go, the many smaller matrices of large work that is over as well.
void give_back_memory();

// Of this machine, free or not, in bytes; 0: nobody says.
std::uint64_t machine_memory();

}  // namespace attn
