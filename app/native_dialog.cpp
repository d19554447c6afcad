// zenity and kdialog print the chosen path on their standard output. A thread reads it and waits for their
// end, so that the window goes on drawing meanwhile.
#include "app/native_dialog.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

extern char** environ;

namespace attn {
namespace {

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

// The process, with its standard output on the write end of `out`; 0 when it could not be started.
int start(std::vector<std::string>& words, const int (&out)[2]) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  pid_t process = 0;
  if (posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) process = 0;
  posix_spawn_file_actions_destroy(&actions);
  return process;
}

std::string read_line(int descriptor) {
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = ::read(descriptor, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::vector<std::string> NativeDialog::command(bool saving, const std::string& start) {
  if (on_path("zenity")) {
    std::vector<std::string> words{"zenity", "--file-selection", "--filename=" + start};
    if (saving) words.insert(words.end(), {"--save", "--confirm-overwrite"});
    return words;
  }
  if (on_path("kdialog")) return {"kdialog", saving ? "--getsavefilename" : "--getopenfilename", start};
  return {};
}

NativeDialog::~NativeDialog() {
  if (running_ && process_ > 0) ::kill(process_, SIGTERM);
  if (waiter_.joinable()) waiter_.join();
}

void NativeDialog::open(std::vector<std::string> words, std::function<void()> done) {
  if (running_) return;
  if (waiter_.joinable()) waiter_.join();
  int out[2];
  if (::pipe2(out, O_CLOEXEC) != 0) return;
  process_ = start(words, out);
  ::close(out[1]);  // else reading would never come to an end
  if (process_ == 0) {
    ::close(out[0]);
    return;
  }
  finished_ = false;
  running_ = true;
  waiter_ = std::thread([this, done = std::move(done), reading = out[0]] {
    result_ = read_line(reading);
    ::close(reading);
    int status = 0;
    ::waitpid(process_, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) result_.clear();
    finished_ = true;
    running_ = false;
    if (done) done();
  });
}

std::optional<std::string> NativeDialog::take_result() {
  if (!finished_.exchange(false)) return std::nullopt;
  return result_;
}

}  // namespace attn
