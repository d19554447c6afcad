// Cache: the folder of ours in which PoCL keeps compiled kernels and we keep what we know of devices.
//
// PoCL aborts when it reads a damaged file of its cache, so nothing there is used that isn't listed,
// unchanged, in our ledger. Programs that run hold a shared lock on the folder; whoever changes what it holds
// takes the lock alone.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/opencl/ledger.h"

namespace attn::opencl {

// What the surroundings say; tests give their own.
struct Surroundings {
  std::filesystem::path cache_home;  // $XDG_CACHE_HOME, else $HOME/.cache, else empty
  std::filesystem::path temporary;   // $TMPDIR, else /tmp
  std::string probe;  // the program that tests devices: $ATTENTION_LAB_PROBE, or attention-lab beside us
  std::chrono::milliseconds limit{10'000};  // of one question to it
};
Surroundings read_surroundings();

class Cache {
 public:
  // Opens the folder, or a temporary one when it cannot be used; a note says why.
  Cache(const Surroundings& surroundings, std::vector<std::string>& notes);
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  std::filesystem::path kernels() const { return folder_ / "pocl"; }  // POCL_CACHE_DIR
  std::filesystem::path ledger_file() const { return folder_ / "devices.json"; }

  // The ledger, when PoCL's cache can be trusted: nothing that it lists has changed and nothing else is
  // there. Else nothing, and `problem` says why when something is wrong, as opposed to new.
  std::optional<Ledger> trusted(std::string& problem) const;

  // For changing the cache: the lock for us alone, or, when another program is using the folder, a temporary
  // folder.
  void claim(std::vector<std::string>& notes);
  // Empties PoCL's cache. After claim().
  void clear();
  // Keeps the verdicts with a list of PoCL's files as they are now, and lets others in. After claim().
  void save(const std::vector<Verdict>& verdicts, std::vector<std::string>& notes);

 private:
  void use_temporary(std::vector<std::string>& notes, const std::string& why);
  bool open_lock();  // false, with errno, when the folder cannot be written
  bool lock_shared();

  std::filesystem::path temporary_root_, folder_;
  bool temporary_ = false;
  int lock_ = -1;
};

}  // namespace attn::opencl
