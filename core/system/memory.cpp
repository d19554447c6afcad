// Small files of the kernel, read whole; one that is missing or makes no sense limits nothing.
// https://docs.kernel.org/admin-guide/cgroup-v2.html, …/cgroup-v1/memory.html, proc(5).
#include "core/system/memory.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kKilobyte = 1024;

std::uint64_t left(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

// A file of one number; none where it says "max".
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::uint64_t number = 0;
  std::ifstream stream(file);
  return stream >> number ? std::optional(number) : std::nullopt;
}

// The number behind a word at the start of a line: "MemAvailable:  123 kB", "inactive_file 456".
std::optional<std::uint64_t> number_after(const fs::path& file, const std::string& word) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string first;
    std::uint64_t number = 0;
    if (words >> first >> number && first == word) return number;
  }
  return std::nullopt;
}

// What a version of control groups calls its files.
struct Names {
  const char *limit, *used, *inactive_cache, *active_cache;
};
constexpr Names kFirst{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file",
                       "total_active_file"};
constexpr Names kSecond{"memory.max", "memory.current", "inactive_file", "active_file"};

// Of one group; none where it sets no limit.
std::optional<std::uint64_t> left_in_group(const fs::path& folder, const Names& names) {
  const auto limit = number_in(folder / names.limit), used = number_in(folder / names.used);
  if (!limit || !used) return std::nullopt;
  const fs::path statistics = folder / "memory.stat";
  const std::uint64_t cache = number_after(statistics, names.inactive_cache).value_or(0) +
                              number_after(statistics, names.active_cache).value_or(0);
  return left(*limit, left(*used, cache));
}

// In a container the path may be that of the machine outside: then only the top is there to see.
std::optional<std::uint64_t> left_in_groups(const fs::path& top, const std::string& path,
                                            const Names& names) {
  std::optional<std::uint64_t> least;
  fs::path folder = path;
  while (true) {
    const auto here = left_in_group(top / folder.relative_path(), names);
    if (here && (!least || *here < *least)) least = here;
    if (!folder.has_relative_path()) return least;
    folder = folder.parent_path();
  }
}

// Lines "4:memory:/path" (first version) and "0::/path" (second).
std::optional<std::uint64_t> left_in_all_groups(const fs::path& root) {
  const fs::path groups = root / "sys/fs/cgroup";
  std::optional<std::uint64_t> least;
  std::ifstream stream(root / "proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    std::optional<std::uint64_t> here;
    if (controllers == ",,") here = left_in_groups(groups, path, kSecond);
    if (controllers.find(",memory,") != controllers.npos)
      here = left_in_groups(groups / "memory", path, kFirst);
    if (here && (!least || *here < *least)) least = here;
  }
  return least;
}

// What a limit of this process leaves of what it counts, which a line of its status says in kB.
std::optional<std::uint64_t> left_of(decltype(RLIMIT_AS) resource, const fs::path& root, const char* word) {
  struct rlimit limit {};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const auto used = number_after(root / "proc/self/status", word);
  return left(limit.rlim_cur, used.value_or(0) * kKilobyte);
}

}  // namespace

FreeMemory free_memory(const std::string& root) {
  const fs::path top = root.empty() ? "/" : root;
  FreeMemory free;
  const auto consider = [&](std::optional<std::uint64_t> bytes, const char* where) {
    if (bytes && *bytes < free.bytes) free = {*bytes, where};
  };
  if (const auto available = number_after(top / "proc/meminfo", "MemAvailable:"))
    consider(*available * kKilobyte, "in this machine");
  consider(left_in_all_groups(top), "under the limit of its control group");
  consider(left_of(RLIMIT_AS, top, "VmSize:"), "under this process's limit (ulimit -v)");
  consider(left_of(RLIMIT_DATA, top, "VmData:"), "under this process's limit (ulimit -d)");
  return free;
}

void give_back_large_matrices() {
  constexpr int kLarge = 4 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLarge);
  // As the library itself has it for a threshold that it learnt: matrices of every frame stay.
  ::mallopt(M_TRIM_THRESHOLD, 2 * kLarge);
}

void give_back_memory() {
  ::malloc_trim(0);
}

std::uint64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

}  // namespace attn
