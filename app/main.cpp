// attention-lab: the command line on the standard streams.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "app/cli/command_line.h"
#include "app/host/leaving.h"
#include "core/opencl/devices.h"
#include "core/system/error.h"
#include "core/system/memory.h"

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
    std::cerr << "attention-lab: " << name << " is not an absolute path and is ignored\n";
    ::unsetenv(name);
  }
}

void print_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EPIPE) return;  // the reader has seen enough
    if (written < 0 && errno != EINTR)
      throw attn::Error(std::string("the standard output could not be written: ") + std::strerror(errno),
                        attn::Fault::output);
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

int main(int argc, char** argv) {
  attn::give_back_large_matrices();
  keep_standard_streams();
  refuse_relative_folders();
  attn::opencl::reserve_variables();
  std::signal(SIGCHLD, SIG_DFL);  // whoever started us may ignore it: then nobody learns how a child ended
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond its limit is an error of the write, with a message
  attn::WatchedFork fork;
  attn::Console console(std::make_shared<attn::opencl::Devices>(), std::cerr, [&](std::string_view results) {
    fork.hand_out();
    print_all(results);
  });
  console.fork = &fork;
  const int status = attn::command_line(argc, argv, console);
  fork.done(status);
  attn::leave_within(attn::kLeave, status);
  return status;
}
