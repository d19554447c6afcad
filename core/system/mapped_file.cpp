// Leases: fcntl(2), F_SETLEASE. A mapping alone would not do: what is written to a file shows in it, and a
// number behind the end of a file that was cut short ends the process (SIGBUS).
#include "core/system/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <future>
#include <thread>

namespace attn {
namespace {

void* pages(std::size_t size, int protection, int flags, int file) {
  void* const found = ::mmap(nullptr, size, protection, MAP_PRIVATE | flags, file, 0);
  return found == MAP_FAILED ? nullptr : found;
}

bool memory_is_limited() {
  struct rlimit space {};
  return ::getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur != RLIM_INFINITY;
}

sigset_t all_signals() {
  sigset_t set;
  sigfillset(&set);
  return set;
}

}  // namespace

struct MappedFile::Lease {
  int file = -1;
  std::size_t size = 0;
  void* bytes = nullptr;
  void* room = nullptr;  // for the copy, which must not fail when it is wanted
  std::atomic<bool> mapped = false, ends = false;
  std::thread watch = {};

  ~Lease() {
    if (watch.joinable()) {
      ends = true;
      ::pthread_kill(watch.native_handle(), SIGIO);
      watch.join();
    }
    if (bytes) ::munmap(bytes, size);
    if (room) ::munmap(room, size);
    if (file >= 0) ::close(file);  // the lease with it
  }

  bool open(const std::string& path, std::size_t least) {
    file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status {};
    if (file < 0 || ::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || memory_is_limited())
      return false;
    if (static_cast<std::size_t>(status.st_size) < std::max<std::size_t>(1, least)) return false;
    std::promise<bool> leased;
    auto answer = leased.get_future();
    // The thread has every signal blocked from its start, and the one that it waits for is sent to no other.
    const sigset_t all = all_signals();
    sigset_t before;
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    watch = std::thread([this, &leased] {
      const bool got = take();
      leased.set_value(got);
      if (got) keep();
    });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return answer.get();
  }

  // On the thread that is told when somebody wants to write.
  bool take() {
    const f_owner_ex here{F_OWNER_TID, ::gettid()};
    if (::fcntl(file, F_SETOWN_EX, &here) != 0 || ::fcntl(file, F_SETLEASE, F_RDLCK) != 0) return false;
    struct stat status {};  // from here on it stays as it is
    if (::fstat(file, &status) != 0 || status.st_size == 0) return false;
    size = static_cast<std::size_t>(status.st_size);
    room = pages(size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_NORESERVE, -1);
    bytes = room ? pages(size, PROT_READ, 0, file) : nullptr;
    mapped = bytes != nullptr;
    return mapped;
  }

  void keep() {
    sigset_t told;
    sigemptyset(&told);
    sigaddset(&told, SIGIO);
    while (!ends && ::fcntl(file, F_GETLEASE) == F_RDLCK) {
      int signal = 0;
      ::sigwait(&told, &signal);
    }
    if (!ends) copy();
  }

  // Into the place of the mapping, in one step: whoever reads there meanwhile reads the same numbers.
  void copy() {
    std::memcpy(room, bytes, size);
    ::mprotect(room, size, PROT_READ);
    ::mremap(room, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, bytes);
    room = nullptr;
    mapped = false;
    ::fcntl(file, F_SETLEASE, F_UNLCK);
  }
};

MappedFile::MappedFile(std::unique_ptr<Lease> lease) : lease_(std::move(lease)) {}
MappedFile::~MappedFile() = default;

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path, std::size_t least) {
  auto lease = std::make_unique<Lease>();
  if (!lease->open(path, least)) return nullptr;
  return std::shared_ptr<const MappedFile>(new MappedFile(std::move(lease)));
}

std::span<const std::byte> MappedFile::bytes() const {
  return {static_cast<const std::byte*>(lease_->bytes), lease_->size};
}

bool MappedFile::is_mapped() const {
  return lease_->mapped;
}

}  // namespace attn
