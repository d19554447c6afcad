// Preloaded, it makes one file operation of a program fail, or ends the program in it. Operations are counted
// from 1 on the files below one folder: open, write, fsync, rename, close, and making a folder.
//
//   FAULT_FOLDER  the folder, a full path
//   FAULT_AT      which operation
//   FAULT_HOW     once: it fails; on: it fails and all that follow; kill: it is begun, and the program ends
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr std::size_t kMostFiles = 4096;
std::array<std::atomic<bool>, kMostFiles> ours;  // by descriptor
std::atomic<long> count = 0;

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool below_folder(const char* path) {
  const std::string folder = setting("FAULT_FOLDER");
  return !folder.empty() && path && std::strncmp(path, folder.c_str(), folder.size()) == 0;
}
bool is_ours(int file) {
  return file >= 0 && static_cast<std::size_t>(file) < kMostFiles && ours[static_cast<std::size_t>(file)];
}
void set_ours(int file, bool is) {
  if (file >= 0 && static_cast<std::size_t>(file) < kMostFiles) ours[static_cast<std::size_t>(file)] = is;
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

void tell(const char* operation, long number) {
  const std::string line =
      "fault: " + std::string(operation) + " is operation " + std::to_string(number) + "\n";
  if (real<ssize_t (*)(int, const void*, size_t)>("write")(STDERR_FILENO, line.data(), line.size()) < 0)
    return;
}

// Whether this operation is to fail. `begin` does a part of it before the program ends.
template <class Begin>
bool fails(const char* operation, Begin begin) {
  const long now = ++count, at = std::atol(setting("FAULT_AT"));
  const std::string how = setting("FAULT_HOW");
  if (at == 0 || now < at || (now > at && how != "on")) return false;
  tell(operation, now);
  if (how != "kill") return true;
  begin();
  ::kill(::getpid(), SIGKILL);
  return true;
}
bool fails(const char* operation) {
  return fails(operation, [] {});
}

int failed(int error) {
  errno = error;
  return -1;
}

int open_file(const char* path, int flags, mode_t mode) {
  const bool counted = below_folder(path);
  if (counted && fails("open")) return failed(EIO);
  const int file = real<int (*)(const char*, int, ...)>("open")(path, flags, mode);
  set_ours(file, counted && file >= 0);
  return file;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);  // rubbish where it is not given, and not looked at then
  va_end(arguments);
  return open_file(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return open_file(path, flags, mode);
}
// What a hardened build calls.
int __open_2(const char* path, int flags) {
  return open_file(path, flags, 0);
}
int __open64_2(const char* path, int flags) {
  return open_file(path, flags, 0);
}

ssize_t write(int file, const void* bytes, size_t size) {
  const auto write_bytes = real<ssize_t (*)(int, const void*, size_t)>("write");
  // As a full disk does it, and a kill: half is there.
  const auto half = [&] { return write_bytes(file, bytes, size / 2); };
  if (is_ours(file) && fails("write", half)) {
    half();
    return failed(ENOSPC);
  }
  return write_bytes(file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  if (is_ours(file) && fails("write")) return failed(ENOSPC);
  return real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite")(file, bytes, size, at);
}

int fsync(int file) {
  if (is_ours(file) && fails("fsync")) return failed(EIO);
  return real<int (*)(int)>("fsync")(file);
}

int rename(const char* from, const char* to) {
  if (below_folder(to) && fails("rename")) return failed(EIO);
  return real<int (*)(const char*, const char*)>("rename")(from, to);
}

int mkdir(const char* path, mode_t mode) {
  if (below_folder(path) && fails("mkdir")) return failed(ENOSPC);
  return real<int (*)(const char*, mode_t)>("mkdir")(path, mode);
}

// The file is closed all the same: so it is when the system says that it failed.
int close(int file) {
  const bool counted = is_ours(file);
  set_ours(file, false);
  const bool fault = counted && fails("close");
  const int result = real<int (*)(int)>("close")(file);
  return fault ? failed(EIO) : result;
}
}
