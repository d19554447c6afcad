// A pipe with a name, in the place of a file: it is read as slowly as a test likes.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace attn::tests {

class SlowFile {
 public:
  explicit SlowFile(const std::string& path) : path_(path) { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); }
  ~SlowFile() { end(); }
  SlowFile(const SlowFile&) = delete;
  SlowFile& operator=(const SlowFile&) = delete;

  // Waits until somebody reads.
  void write(std::string_view text) {
    if (file_ < 0) file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    while (!text.empty()) {  // as much as the pipe holds, as soon as it is read
      const ssize_t written = ::write(file_, text.data(), text.size());
      REQUIRE(written > 0);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void end() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
  }

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace attn::tests
