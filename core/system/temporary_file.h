// TemporaryFile: a new file next to another, until it takes that one's name.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace attn {

// Locked for as long as it is here, so that whoever writes next in its folder knows those of killed programs
// and removes them. Errors are left in errno.
class TemporaryFile {
 public:
  // Its permissions are `mode` as far as the umask allows.
  TemporaryFile(const std::filesystem::path& target, mode_t mode);
  ~TemporaryFile();  // removes it, unless it was renamed
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Removes those of `target` that nobody holds.
  static void sweep(const std::filesystem::path& target);

  int descriptor() const { return file_; }  // −1: it could not be made, or is closed
  bool close();
  bool rename_to(const std::filesystem::path& target);

 private:
  bool create(const std::filesystem::path& folder, mode_t mode);

  std::filesystem::path path_;
  int file_ = -1, lock_ = -1;
};

}  // namespace attn
