// Cache: the folder of ours in which PoCL keeps compiled kernels and we keep what we know of devices.
//
// PoCL aborts when it reads a damaged file of its cache, so nothing there is used that our ledger doesn't
// list with its content. Programs that run hold a shared lock on the folder; whoever changes what it lists
// takes the lock alone.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/opencl/ledger.h"
#include "core/opencl/trouble.h"

namespace attn::opencl {

// What the surroundings say; tests give their own.
struct Surroundings {
  std::filesystem::path cache_home;  // $XDG_CACHE_HOME, else $HOME/.cache, else empty
  std::filesystem::path temporary;   // $TMPDIR, else /tmp
  std::string probe;                 // the program that asks drivers: $ATTENTION_LAB_PROBE, else this one
  std::string vendors = {};          // $OCL_ICD_VENDORS
  std::chrono::milliseconds limit{10'000};       // of one question to it, or of its silence
  std::function<bool()> busy = machine_is_busy;  // so that a question may take longer than that
};
Surroundings read_surroundings();

class Cache {
 public:
  // Opens the folder, or a temporary one when it cannot be used; a note says why.
  Cache(const Surroundings& surroundings, std::vector<std::string>& notes);
  // A temporary one, for tests that shall find nothing compiled.
  explicit Cache(const std::filesystem::path& temporary_root);
  // Lists what PoCL has compiled meanwhile for this program.
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  std::filesystem::path kernels() const { return folder_ / "pocl"; }  // POCL_CACHE_DIR
  std::filesystem::path drivers() const { return folder_ / "drivers"; }
  std::filesystem::path ledger_file() const { return folder_ / "devices.json"; }

  // What is known. When a kernel that it lists has changed or gone, PoCL's cache must be cleared: then the
  // answers of devices are left out, and `problem` says so, as it does of a ledger that cannot be read. A
  // kernel that nobody listed was left by a program that did not come to its end, and is removed.
  std::optional<Ledger> known(std::string& problem);

  // For changing the cache: the lock for us alone, or, when another program is using the folder or its disk
  // is full, a temporary folder.
  void claim(std::vector<std::string>& notes);
  // Empties PoCL's cache. After claim().
  void clear();
  // Keeps the ledger with a list of PoCL's files as they are now, and lets others in. After claim().
  void save(Ledger ledger, std::vector<std::string>& notes);
  // Replaces what the ledger says of devices and drivers; needs no claim.
  void replace_answers(const Ledger& answers, std::vector<std::string>& notes);

 private:
  void use_temporary(std::vector<std::string>& notes, const std::string& why);
  void make_temporary(const std::string& why);
  bool open_lock();  // false, with errno, when the folder cannot be written
  bool lock_shared();
  bool lock_alone();
  std::optional<Ledger> read(std::string& problem) const;
  std::optional<Ledger> check(std::string& problem, bool& unlisted);
  void remove_unlisted();
  void list_new();
  void write(const Ledger& ledger, std::vector<std::string>& notes) const;

  std::filesystem::path temporary_root_, folder_;
  bool temporary_ = false;
  bool alone_ = false;  // between claim() and save()
  bool sound_ = false;  // the ledger lists what PoCL may read
  int lock_ = -1;
};

}  // namespace attn::opencl
