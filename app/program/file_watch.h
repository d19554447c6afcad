// FileWatch: looks from time to time whether a file is still as this program knows it, on a thread of its
// own: nothing that draws or ends waits for its disk.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "core/system/file_mark.h"
#include "core/system/worker.h"

namespace attn {

inline constexpr std::chrono::milliseconds kLookPeriod{1000};

class FileWatch {
 public:
  enum class State { as_known, changed, gone };

  // `told` is called on the thread when seen() has become another; may be empty.
  explicit FileWatch(std::function<void()> told = {}, std::chrono::milliseconds period = kLookPeriod);

  // The file that is looked at from now on, and as what it is known; no path: none. The same again costs
  // nothing.
  void watch(const std::string& path, const FileMark& known);
  State seen() const;

 private:
  void look();

  std::function<void()> told_;
  std::chrono::milliseconds period_;
  mutable std::mutex mutex_;
  std::string path_;
  FileMark known_;
  State seen_ = State::as_known;
  std::vector<std::int64_t> looked_;  // size and times of the file whose content was looked at last
  Worker worker_;                     // last: its thread uses everything above
};

}  // namespace attn
