// A file without a name, given back at once.
#include "core/room.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace attn {

bool has_room(const std::filesystem::path& folder, std::size_t bytes) {
  rlimit size{};  // beyond it a signal would end us
  if (::getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur < bytes) return false;
  std::string name = (folder / ".attention-lab-room-XXXXXX").string();
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return false;
  ::unlink(name.c_str());
  const int error = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  ::close(file);
  return error == 0;
}

}  // namespace attn
