// Started by posix_spawn, since a fork of a program with threads may run little between fork and exec.
// Reading its output and waiting for its end share one deadline.
#include "core/opencl/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace attn::opencl {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostOutput = std::size_t{1} << 20;  // kept; a driver that babbles fills no memory

// This process's environment with `variables` in place of its own.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!variables.contains(text.substr(0, text.find('=')))) entries.push_back(text);
  }
  for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

// Starts the program in a process group of its own, so that its compilers can be stopped with it. Returns an
// errno.
int start(const std::string& program, const std::vector<std::string>& arguments,
          const std::map<std::string, std::string>& variables, int output, pid_t& pid) {
  std::vector<std::string> words{program}, entries = environment_with(variables);
  words.insert(words.end(), arguments.begin(), arguments.end());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // A driver that asks something gets no answer, and what it complains of is not the user's to read.
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = posix_spawn(&pid, program.c_str(), &actions, &attributes, pointers(words).data(),
                                pointers(entries).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::max<decltype(left)>(0, left));
}

// Reads until the child closes its output; false when the deadline comes first.
bool read_all(int input, Clock::time_point deadline, std::string& output) {
  char block[4096];
  for (;;) {
    pollfd ready{input, POLLIN, 0};
    const int count = poll(&ready, 1, milliseconds_until(deadline));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    const ssize_t size = read(input, block, sizeof block);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return true;
    if (output.size() < kMostOutput) output.append(block, static_cast<std::size_t>(size));
  }
}

// Waits for the child's end; false when the deadline comes first. A child may close its output and go on.
// waitpid knows no deadline, and a signal handler is not ours to install: it is asked every 2 ms.
bool wait_for(pid_t pid, Clock::time_point deadline, int& status) {
  for (;;) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return true;
    if (ended < 0 && errno != EINTR) return false;
    if (Clock::now() >= deadline) return false;
    poll(nullptr, 0, 2);
  }
}

}  // namespace

std::string Child::ending() const {
  switch (end) {
    case End::exited:
      return "exited with status " + std::to_string(code);
    case End::signalled:
      return "was stopped by signal " + std::to_string(code) + " (" + strsignal(code) + ")";
    case End::timed_out:
      return "took longer than its limit";
    case End::not_started:
      return std::string("could not be started (") + std::strerror(code) + ")";
  }
  return {};
}

Child run_child(const std::string& program, const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& variables, std::chrono::milliseconds limit) {
  Child child;
  const auto deadline = Clock::now() + limit;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {.end = Child::End::not_started, .code = errno, .output = {}};
  pid_t pid = 0;
  child.code = start(program, arguments, variables, ends[1], pid);
  close(ends[1]);
  if (child.code != 0) {
    close(ends[0]);
    return child;
  }
  int status = 0;
  const bool in_time = read_all(ends[0], deadline, child.output) && wait_for(pid, deadline, status);
  close(ends[0]);
  kill(-pid, SIGKILL);  // what it left running goes with it
  if (!in_time) {
    waitpid(pid, &status, 0);
    child.end = Child::End::timed_out;
  } else if (WIFSIGNALED(status)) {
    child.end = Child::End::signalled;
    child.code = WTERMSIG(status);
  } else {
    child.end = Child::End::exited;
    child.code = WEXITSTATUS(status);
  }
  return child;
}

}  // namespace attn::opencl
