// Its name is random, so that two programs don't meet; the lock (flock) belongs to the open file, so it goes
// with the program however that ends. Where a file system has no locks nothing is locked and nothing is
// swept.
#include "core/system/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = ".attention-lab-", kEnd = ".tmp";

bool is_temporary(std::string_view name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd) || name.size() <= kBegin.size() + kEnd.size())
    return false;
  const auto number = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
  return std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

// A rename only works within one file system, so it is made in the target's folder.
fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : ".";
}

// Between its making and its locking a sweep may have taken the name away.
bool has_name(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

void TemporaryFile::sweep(const fs::path& target) {
  std::error_code failed;
  for (fs::directory_iterator it(folder_of(target), failed), end; !failed && it != end;
       it.increment(failed)) {
    if (!is_temporary(it->path().filename().native())) continue;
    // Not for reading: over NFS only what may be written can be locked alone.
    const int file = ::open(it->path().c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(it->path().c_str());
    ::close(file);
  }
}

TemporaryFile::TemporaryFile(const fs::path& target, mode_t mode) {
  sweep(target);
  const fs::path folder = folder_of(target);
  for (int attempt = 0; attempt < 100 && !create(folder, mode) && errno == EEXIST;) ++attempt;
}

bool TemporaryFile::create(const fs::path& folder, mode_t mode) {
  std::random_device random;
  path_ = folder / (std::string(kBegin) + std::to_string(random()) + std::string(kEnd));
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file_ < 0) {
    path_.clear();
    return false;
  }
  ::flock(file_, LOCK_EX);
  if (!has_name(file_)) {
    ::close(std::exchange(file_, -1));
    path_.clear();
    errno = EEXIST;
    return false;
  }
  // The same lock: it is held until the rename, which comes after closing.
  lock_ = ::fcntl(file_, F_DUPFD_CLOEXEC, 0);
  return true;
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
  if (file_ >= 0) ::close(file_);
  if (lock_ >= 0) ::close(lock_);
}

bool TemporaryFile::close() {
  return ::close(std::exchange(file_, -1)) == 0;
}

bool TemporaryFile::rename_to(const fs::path& target) {
  if (::rename(path_.c_str(), target.c_str()) != 0) return false;
  path_.clear();
  return true;
}

}  // namespace attn
