// Pieces of bytes, and of files by pread.
#include "core/system/file_pieces.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

#include "core/system/error.h"

namespace attn {
namespace {

[[noreturn]] void cannot_read(const std::string& path, const std::string& why) {
  throw Error("cannot read " + path + ": " + why, Fault::input);
}

struct OpenFile {
  explicit OpenFile(const std::string& name) : path(name), file(::open(name.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file < 0) cannot_read(path, std::generic_category().message(errno));
  }
  ~OpenFile() { ::close(file); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::string path;
  int file;
};

void read_all(const OpenFile& open, std::uint64_t at, std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t got = ::pread(open.file, out.data(), out.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(open.path, std::generic_category().message(errno));
    if (got == 0) cannot_read(open.path, "it became shorter while it was read");
    out = out.subspan(static_cast<std::size_t>(got));
    at += static_cast<std::uint64_t>(got);
  }
}

}  // namespace

FilePieces pieces_of(std::span<const std::byte> bytes) {
  return {bytes.size(), [bytes](std::uint64_t at, std::span<std::byte> out) {
            std::ranges::copy(bytes.subspan(at, out.size()), out.begin());
          }};
}

FilePieces pieces_of_file(const std::string& path) {
  auto open = std::make_shared<const OpenFile>(path);
  struct stat info {};
  if (::fstat(open->file, &info) != 0) cannot_read(path, std::generic_category().message(errno));
  if (!S_ISREG(info.st_mode))
    cannot_read(path, S_ISDIR(info.st_mode) ? "it is a folder" : "it is no ordinary file");
  return {static_cast<std::uint64_t>(info.st_size),
          [open](std::uint64_t at, std::span<std::byte> out) { read_all(*open, at, out); }};
}

}  // namespace attn
