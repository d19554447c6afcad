// Asks for room by writing a file without a name, which is given back at once.
#include "core/system/disk_space.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace attn {
namespace {

// Not every file system has files without a name.
int open_unnamed(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  std::string name = (folder / ".attention-lab-room-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

int room_error(const std::filesystem::path& folder, std::size_t bytes) {
  const int file = open_unnamed(folder);
  if (file < 0) return errno;
  rlimit size{};  // beyond it a signal would end us
  const bool limited = ::getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur < bytes;
  const int error = limited ? EFBIG : ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  ::close(file);
  return error;
}

bool is_want_of_room(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

}  // namespace attn
