// Ledger: what we know of devices and of PoCL's kernel cache, and its form on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attn::opencl {

// The verdict on one device.
struct Verdict {
  std::size_t index = 0;               // two devices may bear one name
  std::string name, platform, driver;  // of the device
  bool passed = false;
  std::string text;
  double largest_error = 0, milliseconds = 0;
  bool answered = true;  // the test came to its end; else the driver crashed or hung
  int tries = 1;
};

// The verdicts found with these kernels, and the files that PoCL's cache held then.
struct Ledger {
  struct File {
    std::uintmax_t size = 0;
    std::int64_t modified = 0;  // nanoseconds
    bool operator==(const File&) const = default;
  };
  std::vector<Verdict> verdicts;
  std::map<std::string, File> files;  // by path inside PoCL's cache
};

std::string to_text(const Ledger& ledger);

// None for a ledger of other kernels than ours, and for one that isn't readable, in which case `problem` says
// so.
std::optional<Ledger> parse_ledger(const std::string& text, std::string& problem);

// A file that PoCL was writing, or leaves behind empty at every start.
bool is_leftover(const std::string& name);

// Every file under `folder` that PoCL reads.
std::map<std::string, Ledger::File> list_files(const std::filesystem::path& folder);

}  // namespace attn::opencl
