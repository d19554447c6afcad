// Started by posix_spawn, since a fork of a program with threads may run little between fork and exec.
// Its output is read and its end looked for in one loop: a child may close its output and
// go on, and what it started may keep the output open when it has ended.
#include "core/system/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace attn {
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

// Starts the program (looked for on PATH when it is a plain name) in a process group of its own, so that its
// compilers can be stopped with it. Returns an errno.
int start(const std::string& program, const std::vector<std::string>& arguments, const ChildOptions& options,
          int output, pid_t& pid) {
  std::vector<std::string> words{program}, entries = environment_with(options.variables);
  words.insert(words.end(), arguments.begin(), arguments.end());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // A driver that asks something gets no answer, and what it complains of is not the user's to read.
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (options.errors)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = posix_spawnp(&pid, program.c_str(), &actions, &attributes, pointers(words).data(),
                                 pointers(entries).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// How long to sleep at most between two looks at the child. Its output, and the end of that, wake at once.
constexpr std::chrono::milliseconds kLook{50}, kLookWhenSilent{2};

// What a child has said so far, and when it last did.
struct Heard {
  std::string& output;
  const std::function<void(std::string_view)>& tell;
  Clock::time_point last = Clock::now();
};

// Waits for output for a while and takes what there is. False when the output is closed.
bool read_some(int input, std::chrono::milliseconds wait, Heard& heard) {
  pollfd ready{input, POLLIN, 0};
  if (poll(&ready, 1, static_cast<int>(wait.count())) <= 0) return true;
  char block[4096];
  const ssize_t size = read(input, block, sizeof block);
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  if (size == 0) return false;
  heard.last = Clock::now();
  if (heard.tell) heard.tell({block, static_cast<std::size_t>(size)});
  if (heard.output.size() < kMostOutput) heard.output.append(block, static_cast<std::size_t>(size));
  return true;
}

// What was written before the child's end and has not been read.
void read_rest(int input, Heard& heard) {
  for (pollfd ready{input, POLLIN, 0}; poll(&ready, 1, 0) > 0 && heard.output.size() < kMostOutput;)
    if (!read_some(input, {}, heard)) return;
}

// The child's end, if it has come. It is left in the system's list: until it is taken from there, its number
// and its group's are no other's.
std::optional<Child::End> end_of(pid_t pid) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    return errno == EINTR ? std::nullopt : std::optional(Child::End::unseen);
  if (info.si_pid != pid) return std::nullopt;
  return info.si_code == CLD_EXITED ? Child::End::exited : Child::End::signalled;
}

// When a child is given up that says nothing more.
Clock::time_point deadline_of(const ChildOptions& options, Clock::time_point start, const Heard& heard) {
  auto deadline = Clock::time_point::max();
  if (options.limit) deadline = start + *options.limit;
  if (options.silence) deadline = std::min(deadline, heard.last + *options.silence);
  return deadline;
}

// Until the child ends, a limit is over or somebody asks for a stop.
Child::End follow(pid_t pid, int input, const ChildOptions& options, Clock::time_point start,
                  std::string& output) {
  Heard heard{output, options.heard, start};
  for (bool open = true;;) {
    const auto left = deadline_of(options, start, heard) - Clock::now();
    const auto wait =
        std::clamp(std::chrono::ceil<std::chrono::milliseconds>(left), {}, open ? kLook : kLookWhenSilent);
    if (open)
      open = read_some(input, wait, heard);
    else
      poll(nullptr, 0, static_cast<int>(wait.count()));
    if (const auto end = end_of(pid)) {
      if (open) read_rest(input, heard);
      return *end;
    }
    if (options.stop.stop_requested()) return Child::End::stopped;
    if (Clock::now() >= deadline_of(options, start, heard)) return Child::End::timed_out;
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
    case End::stopped:
      return "was stopped";
    case End::unseen:
      return std::string("ended, but the system does not say how (") + std::strerror(code) + ")";
    case End::not_started:
      return std::string("could not be started (") + std::strerror(code) + ")";
  }
  return {};
}

Child run_child(const std::string& program, const std::vector<std::string>& arguments,
                const ChildOptions& options) {
  Child child;
  const auto begun = Clock::now();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {.end = Child::End::not_started, .code = errno, .output = {}};
  pid_t pid = 0;
  child.code = start(program, arguments, options, ends[1], pid);
  close(ends[1]);
  if (child.code != 0) {
    close(ends[0]);
    return child;
  }
  child.end = follow(pid, ends[0], options, begun, child.output);
  close(ends[0]);
  kill(-pid, SIGKILL);  // what it left running goes with it
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (child.end == Child::End::unseen) child.code = ECHILD;
  if (child.end == Child::End::signalled) child.code = WTERMSIG(status);
  if (child.end == Child::End::exited) child.code = WEXITSTATUS(status);
  return child;
}

}  // namespace attn
