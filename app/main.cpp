// attention-lab: the command line on the standard streams.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string_view>

#include "app/cli/command_line.h"
#include "app/host/leaving.h"
#include "core/opencl/devices.h"

namespace {

// A closed standard stream would give its number to the next file that is opened, and output would land in
// it. Read-only, so that a write to a closed stream still fails.
void keep_standard_streams() {
  int descriptor = ::open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDONLY);
  if (descriptor >= 0) ::close(descriptor);
}

// The XDG rules ask for full paths; our libraries would make folders of any other in the working folder.
void refuse_relative_folders() {
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"}) {
    const char* folder = std::getenv(name);
    if (!folder || *folder == '\0' || *folder == '/') continue;
    std::cerr << "attention-lab: " << name << " is no full path: it is left out of account\n";
    ::unsetenv(name);
  }
}

// 0, or the system's reason.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  refuse_relative_folders();
  attn::opencl::reserve_variables();
  std::signal(SIGCHLD, SIG_DFL);  // whoever started us may ignore it: then nobody learns how a child ended
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond its limit is an error of the write, with a message
  std::ostringstream out;
  const int status = attn::command_line(argc, argv, out, std::cerr);
  const int reason = write_all(STDOUT_FILENO, out.view());
  attn::leave_within(attn::kLeave, reason == 0 || reason == EPIPE ? status : attn::kNotWritten);
  if (reason == 0 || reason == EPIPE) return status;  // EPIPE: the reader has seen enough
  std::cerr << "attention-lab: the standard output could not be written: " << std::strerror(reason) << '\n';
  return attn::kNotWritten;
}
