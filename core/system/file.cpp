// Reading whole files, and writing them so that they are never seen half.
#include "core/system/file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/system/error.h"
#include "core/system/temporary_file.h"
#include "core/text/text.h"

namespace attn {
namespace {

// A slip of the hand (a disk image, a checkpoint) is refused before it is read.
std::string too_large(std::size_t most) {
  return "it is larger than " + bytes_text(most);
}

constexpr std::size_t kReadAtOnce = std::size_t{1} << 24;
constexpr int kMostLinks = 40;  // as the system has it

// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string reason(int error) {
  switch (error) {
    case ENOENT:
      return "there is no such file or folder";
    case EACCES:
    case EPERM:
      return "you don't have the permission";
    case EEXIST:
      return "a file is in its way";
    case EISDIR:
      return "it is a folder";
    case ENOTDIR:
      return "a part of its path is not a folder";
    case ENOSPC:
      return "the disk is full";
    case EDQUOT:
      return "your disk quota is used up";
    case EFBIG:
      return "the system allows no file of this size";
    case ENAMETOOLONG:
      return "its name is too long";
    case EROFS:
      return "the disk is read-only";
    case ELOOP:
      return "its links lead in a circle";
    default:
      return std::generic_category().message(error);
  }
}

[[noreturn]] void cannot(const char* what, const std::string& path, const std::string& why, Fault fault) {
  throw Error(std::string("cannot ") + what + " " + path + ": " + why, fault);
}

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  cannot("write", path, why, Fault::output);
}

// The file that `path` stands for: links are followed, so that saving replaces what they name and not them.
// The last may name a file that is not there yet.
std::filesystem::path target_of(const std::string& path) {
  if (path.empty()) cannot_write("the file", "it has no name");
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error && error.value() != ENOENT) cannot_write(path, reason(error.value()));
  if (status.type() == std::filesystem::file_type::directory) cannot_write(path, "it is a folder");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    cannot_write(path, "it is not an ordinary file");
  std::filesystem::path target = path;
  for (int links = 0; std::filesystem::is_symlink(target, error) && links < kMostLinks; ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  return target;
}

bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

// The replaced file's permissions; nothing when there is none.
std::optional<mode_t> mode_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_mode & 0777;
}

// After the rename the file is whole in either state of the folder: a folder that can't be synced is no
// failure.
void sync_folder(const std::filesystem::path& target) {
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) ::fsync(fd.get());
}

}  // namespace

FileReader::FileReader(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status {};
  std::string why;
  if (file_ < 0 || ::fstat(file_, &status) != 0)
    why = reason(errno);
  else if (S_ISDIR(status.st_mode))
    why = reason(EISDIR);
  else if (static_cast<std::size_t>(status.st_size) > kMostFileBytes)
    why = too_large(kMostFileBytes);
  expected_ = static_cast<std::size_t>(status.st_size);
  if (why.empty()) return;
  if (file_ >= 0) ::close(file_);
  cannot("read", path, why, Fault::input);
}

FileReader::~FileReader() {
  ::close(file_);
}

std::size_t FileReader::read(std::span<std::byte> out) {
  std::size_t size = 0;
  while (size < out.size()) {
    const ssize_t count = ::read(file_, out.data() + size, out.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) cannot("read", path_, reason(errno), Fault::input);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  read_ += size;
  hash_.add(out.first(size));
  if (read_ > kMostFileBytes) cannot("read", path_, too_large(kMostFileBytes), Fault::input);
  return size;
}

double FileReader::done() const {
  return expected_ == 0 ? 0 : std::min(1.0, static_cast<double>(read_) / static_cast<double>(expected_));
}

// The size is a hint: pipes have none, and a file may grow while it is read. One byte more than it says, so
// that the end is found without growing.
void FileReader::read_rest(std::vector<std::byte>& bytes, std::size_t most,
                           const std::function<void()>& between) {
  if (expected_ > most) cannot("read", path_, too_large(most), Fault::input);
  std::size_t size = bytes.size();
  bytes.resize(std::max(expected_, size) + 1);
  while (true) {
    if (between) between();
    if (size == bytes.size()) bytes.resize(std::min(2 * size + 4096, most + 1));
    const std::span<std::byte> room = std::span(bytes).subspan(size);
    const std::span<std::byte> piece = room.first(std::min(room.size(), kReadAtOnce));
    const std::size_t count = read(piece);
    size += count;
    if (size > most) cannot("read", path_, too_large(most), Fault::input);
    if (count < piece.size()) break;
  }
  bytes.resize(size);
}

std::vector<std::byte> read_file(const std::string& path) {
  std::vector<std::byte> bytes;
  FileReader(path).read_rest(bytes, kMostFileBytes);
  return bytes;
}

FileWriter::FileWriter(const std::string& path, Readers readers) : path_(path), target_(target_of(path)) {
  const std::optional<mode_t> replaced = mode_of(target_);
  // The owner's alone until it has the permissions of the replaced file: it may be as private as that one is.
  file_ = std::make_unique<TemporaryFile>(target_, replaced || readers == Readers::owner ? 0600 : 0666);
  if (file_->descriptor() < 0)
    cannot_write(path, errno == ENOENT ? "there is no such folder; create it first" : reason(errno));
  // Whoever may not set them keeps them to themselves.
  if (replaced && ::fchmod(file_->descriptor(), *replaced) != 0) errno = 0;
}

FileWriter::~FileWriter() = default;

void FileWriter::check_room(std::uint64_t bytes) const {
  const std::string takes = "it takes " + bytes_text(bytes);
  struct rlimit largest {};
  if (::getrlimit(RLIMIT_FSIZE, &largest) == 0 && largest.rlim_cur != RLIM_INFINITY &&
      bytes > largest.rlim_cur)
    cannot_write(path_, takes + ", and a file may have " + bytes_text(largest.rlim_cur) + " (ulimit -f)");
  struct statvfs disk {};
  if (::fstatvfs(file_->descriptor(), &disk) != 0) return;
  const std::uint64_t room = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (bytes > room) cannot_write(path_, takes + ", and the disk has room for " + bytes_text(room));
}

bool FileWriter::in_memory() const {
  struct statfs disk {};
  if (::fstatfs(file_->descriptor(), &disk) != 0) return false;
  return disk.f_type == TMPFS_MAGIC || disk.f_type == RAMFS_MAGIC;
}

void FileWriter::write(std::span<const std::byte> bytes) {
  if (!write_all(file_->descriptor(), bytes)) cannot_write(path_, reason(errno));
}

void FileWriter::skip(std::uint64_t bytes) {
  if (::lseek(file_->descriptor(), static_cast<off_t>(bytes), SEEK_CUR) < 0)
    cannot_write(path_, reason(errno));
}

void FileWriter::write_at(std::uint64_t place, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(file_->descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno != EINTR) cannot_write(path_, reason(errno));
    if (written <= 0) continue;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
  }
}

void FileWriter::finish() {
  if (file_->descriptor() < 0) return;
  // The bytes reach the disk before the name does: after a crash the name means all of either file.
  // close() reports an error that a write had put off.
  if (::fsync(file_->descriptor()) != 0 || !file_->close()) cannot_write(path_, reason(errno));
}

void FileWriter::commit() {
  finish();
  if (!file_->rename_to(target_)) cannot_write(path_, reason(errno));
  sync_folder(target_);
}

void remove_abandoned(const std::string& path) {
  try {
    if (!path.empty()) TemporaryFile::sweep(target_of(path));
  } catch (const Error&) {  // nothing was begun there
  }
}

void write_file(const std::string& path, std::span<const std::byte> bytes, Readers readers) {
  FileWriter file(path, readers);
  file.write(bytes);
  file.commit();
}

void write_file(const std::string& path, const std::string& text, Readers readers) {
  write_file(path, std::as_bytes(std::span(text)), readers);
}

// By the XDG rules: "created with permission 0700".
void make_private_folder(const std::string& path) {
  std::filesystem::path folder;
  for (const std::filesystem::path& part : std::filesystem::path(path)) {
    folder /= part;
    if (::mkdir(folder.c_str(), 0700) == 0) continue;
    const int error = errno;
    std::error_code ignored;
    if (std::filesystem::is_directory(folder, ignored)) continue;
    throw Error("cannot make the folder " + folder.string() + ": " + reason(error), Fault::output);
  }
}

}  // namespace attn
