// Size and times tell that a file is worth reading, its content whether it is another one.
#include "app/program/file_watch.h"

#include <sys/stat.h>

#include <utility>

namespace attn {
namespace {

constexpr const char* kLook = "look";

// Empty: there is no such file.
std::vector<std::int64_t> size_and_times(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {static_cast<std::int64_t>(status.st_ino),
          status.st_size,
          status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec,
          status.st_ctim.tv_sec,
          status.st_ctim.tv_nsec};
}

}  // namespace

FileWatch::FileWatch(std::function<void()> told, std::chrono::milliseconds period)
    : told_(std::move(told)), period_(period) {}

void FileWatch::watch(const std::string& path, const FileMark& known) {
  {
    const std::lock_guard lock(mutex_);
    if (path_ == path && known_ == known) return;
    path_ = path;
    known_ = known;
    seen_ = State::as_known;
    looked_.clear();
  }
  if (path.empty()) return worker_.stop(kLook);
  worker_.post({.name = kLook, .delay = period_, .run = [this](JobControl&) {
                  look();
                  return false;  // again, after the next rest
                }});
}

FileWatch::State FileWatch::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void FileWatch::look() {
  std::unique_lock lock(mutex_);
  const std::string path = path_;
  const FileMark known = known_;
  const std::vector<std::int64_t> before = looked_;
  lock.unlock();
  if (path.empty()) return;  // none any more
  const std::vector<std::int64_t> now = size_and_times(path);
  if (!now.empty() && now == before) return;
  const auto mark = mark_of_file(path);
  const State seen = !mark ? State::gone : *mark == known ? State::as_known : State::changed;
  lock.lock();
  if (path != path_ || !(known == known_)) return;
  looked_ = now;
  const bool another = std::exchange(seen_, seen) != seen;
  lock.unlock();
  if (another && told_) told_();
}

}  // namespace attn
