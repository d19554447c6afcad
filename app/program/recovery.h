// Recovery: the open work as the state folder keeps it, and the place of one window there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/program/block_folder.h"
#include "core/document/document.h"
#include "core/system/file_mark.h"

namespace attn {

// The work that was open when a window ended, however it ended.
struct Recovery {
  Document document;
  std::string path;  // of the session; empty: never saved
  bool changed = false;
  std::string name = {};  // without a path: of the archive or example it was made from
  FileMark mark = {};     // of the file at `path`, as it was read or written
  std::string look = {};  // what is looked at, in words
  bool operator==(const Recovery&) const = default;
};

// `kept`: what was taken out of its document.
std::string write_recovery(const Recovery& recovery, const std::vector<StoredTensor>& kept = {});

// What a recovery's file holds, as far as it can be told.
struct ReadRecovery {
  std::string session, path;  // the session's text; empty: the file is damaged
  bool changed = false;
  std::string name = {};
  FileMark mark = {};
  std::vector<StoredTensor> kept = {};  // what the session lacks

  // Work without changes is what its file holds by now. `blocks`: the folder with what the session lacks.
  // Throws Error when neither can be read or its document cannot be computed, or when it is given up.
  Recovery work(const std::string& blocks = {}, const ProgressCallback& progress = {}) const;

 private:
  Recovery kept_here(const std::string& blocks, const ProgressCallback& progress) const;
  Recovery from_file(const ProgressCallback& progress) const;
};
ReadRecovery read_recovery(std::string_view text);

// The folder with the large tensors of a recovery, next to its file.
std::string blocks_of(const std::string& file);

// Those in the state folder, the newest first, whoever holds them.
std::vector<std::string> recovery_files(const std::string& folder);

// The place of one window: recovery.json, recovery-2.json … in the state folder. A lock holds it for as long
// as the program lives, so that two windows don't meet, and the next start finds what those that ended have
// left.
class RecoverySlot {
 public:
  // Those with a file that no window holds, the newest work first. Held from now on.
  static std::vector<RecoverySlot> left_in(const std::string& folder);
  // One without a file; the folder is made if need be. Throws Error(Fault::output).
  static RecoverySlot free_in(const std::string& folder);
  RecoverySlot(RecoverySlot&& other) noexcept;
  RecoverySlot& operator=(RecoverySlot&& other) noexcept;
  ~RecoverySlot();

  const std::string& file() const { return file_; }
  // The folder was removed under it: the place is nobody's any more.
  bool gone() const;

  // What is kept there: it lies elsewhere, or nobody wants it.
  void remove() const;

  // Whether its work is being computed: still so at the next start if that ends the program.
  bool computing() const;
  void set_computing(bool computing) const;

 private:
  RecoverySlot(std::string file, int lock) : file_(std::move(file)), lock_(lock) {}
  static std::optional<RecoverySlot> take(std::string file);

  std::string file_;
  int lock_ = -1;  // the open lock file; −1 where none could be made
};

}  // namespace attn
