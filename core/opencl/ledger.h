// Ledger: what we know of devices and of PoCL's kernel cache, and its form on disk.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/opencl/loops.h"
#include "core/operations/flash_tiles.h"

namespace attn::opencl {

// How a question to a driver ended.
enum class Ending {
  answered,
  crashed,  // asked once more at the next start
  hung,     // a test, the same with more time; a list, which everybody waits for, once
  passing,  // for want of something that may be there the next time: asked at every start, never kept
};

// The verdict on one device.
struct Verdict {
  std::size_t twin = 0;                // how many equal ones come before it
  std::string name, platform, driver;  // of the device
  bool passed = false;
  std::string text;
  double largest_error = 0, milliseconds = 0;
  Steps most_steps = kEndless;
  FlashTiles flash_tiles = {};
  Ending ending = Ending::answered;
  int tries = 1;
};

// A driver that cannot even list its devices.
struct Silence {
  std::string driver, fingerprint;  // of Driver
  std::string text;
  Ending ending = Ending::crashed;
  int tries = 1;
};

// What was found with these kernels, and the files that PoCL's cache held then: path inside it → content.
struct Ledger {
  std::vector<Verdict> verdicts;
  std::vector<Silence> silences;
  std::map<std::string, std::string> files;
};

std::string to_text(const Ledger& ledger);

// None for a ledger of other kernels than ours, or in another version's form, and for one that isn't
// readable, in which case `problem` says so.
std::optional<Ledger> parse_ledger(const std::string& text, std::string& problem);

// A file that PoCL was writing, or leaves behind empty at every start.
bool is_leftover(const std::string& name);

// Every file under `folder` that PoCL reads, with its size and a sum of its content: a power cut leaves files
// of the right size and time that hold zeros.
std::map<std::string, std::string> list_files(const std::filesystem::path& folder);

}  // namespace attn::opencl
