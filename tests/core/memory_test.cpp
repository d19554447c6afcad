// The free memory as the kernel's files say it, in a folder that stands for the root.
#include "core/system/memory.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

using namespace attn;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

class Root {
 public:
  Root() {
    std::string name = (fs::temp_directory_path() / "attention-lab-memory-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    write("proc/meminfo", "MemTotal:  8388608 kB\nMemFree: 12 kB\nMemAvailable:    4194304 kB\n");
  }
  ~Root() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  // Of a group of the second version.
  void limit(const fs::path& group, const std::string& most, std::uint64_t used,
             std::uint64_t cache = 0) const {
    const fs::path folder = "sys/fs/cgroup" / group;
    write(folder / "memory.max", most + "\n");
    write(folder / "memory.current", std::to_string(used) + "\n");
    write(folder / "memory.stat",
          "anon 5\ninactive_file " + std::to_string(cache) + "\nactive_file " + std::to_string(cache) + "\n");
  }
  FreeMemory free() const { return free_memory(folder_.string()); }

 private:
  fs::path folder_;
};

}  // namespace

TEST_CASE("without limits what the machine has available is free") {
  const Root root;
  CHECK(root.free().bytes == 4096 * kMebibyte);
  CHECK(root.free().where == "in this machine");
}

TEST_CASE("a control group leaves its limit less what is used and no cache") {
  const Root root;
  root.write("proc/self/cgroup", "0::/user/lab\n");
  root.limit("user/lab", std::to_string(1000 * kMebibyte), 700 * kMebibyte, 100 * kMebibyte);
  CHECK(root.free().bytes == 500 * kMebibyte);
  CHECK(root.free().where == "under the limit of its control group");
  root.limit("user/lab", "max", 700 * kMebibyte);
  CHECK(root.free().bytes == 4096 * kMebibyte);
}

TEST_CASE("the groups above limit as well and one that is overdrawn leaves nothing") {
  const Root root;
  root.write("proc/self/cgroup", "0::/user/lab\n");
  root.limit("user/lab", "max", 700 * kMebibyte);
  root.limit("user", std::to_string(800 * kMebibyte), 750 * kMebibyte);
  CHECK(root.free().bytes == 50 * kMebibyte);
  root.limit("user", std::to_string(800 * kMebibyte), 900 * kMebibyte);
  CHECK(root.free().bytes == 0);
}

TEST_CASE("groups of the first version count too and inside a container those at the top") {
  const Root root;
  root.write("proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/docker/0123\n0::/\n");
  const std::string folder = "sys/fs/cgroup/memory/";  // of the container: there is no docker/0123
  root.write(folder + "memory.limit_in_bytes", std::to_string(2000 * kMebibyte));
  root.write(folder + "memory.usage_in_bytes", std::to_string(1500 * kMebibyte));
  root.write(folder + "memory.stat", "inactive_file 7\ntotal_inactive_file " +
                                         std::to_string(200 * kMebibyte) + "\ntotal_active_file 0\n");
  CHECK(root.free().bytes == 700 * kMebibyte);
}

TEST_CASE("files that are missing or make no sense limit nothing") {
  const Root root;
  root.write("proc/self/cgroup", "nonsense\n\n::::\n0:\n0::\n");
  root.write("proc/meminfo", "MemAvailable: lots\n");
  CHECK(root.free().bytes == UINT64_MAX);
}

TEST_CASE("this machine has free memory and says where") {
  const FreeMemory free = free_memory();
  CHECK(free.bytes > kMebibyte);
  CHECK(free.bytes < std::uint64_t{1} << 50);
  CHECK_FALSE(free.where.empty());
}
