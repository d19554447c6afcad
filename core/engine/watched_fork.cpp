// A fork without exec: what was read stays read, and costs no memory twice. Silence is counted in looks, not
// by the clock, so that a program that was stopped for a while, or a machine that slept, has not been silent.
#include "core/engine/watched_fork.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <new>
#include <sstream>

#include "core/system/file.h"

namespace attn {

struct WatchedFork::Shared {
  enum class Stage { working, given_up, handing_out, done };
  DriverCalls calls;
  std::atomic<Stage> stage = Stage::working;
  std::atomic<int> status = 0;
};

namespace {

constexpr std::chrono::milliseconds kMostBetweenLooks{50};
constexpr off_t kMostSaid = off_t{1} << 20;  // bytes kept; a driver that babbles fills no memory

// They end a process unless it has decided otherwise, and come from a person or the system, not from what
// went wrong in the process itself.
constexpr std::array kAskForTheEnd = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,   SIGUSR1, SIGUSR2,
                                      SIGALRM, SIGXCPU, SIGPROF, SIGVTALRM, SIGIO,   SIGPWR};

// What is waited for: that the child ends, and that somebody asks for the end of the program, unless it
// ignores that or has an answer of its own.
sigset_t looked_for() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  for (const int signal : kAskForTheEnd) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) sigaddset(&set, signal);
  }
  return set;
}

[[noreturn]] void end_by_signal(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
  std::_Exit(128 + signal);
}

bool asks_for_the_end(int signal) {
  return std::ranges::count(kAskForTheEnd, signal) > 0;
}

std::optional<Child> end_of_fork(pid_t pid) {
  int status = 0;
  pid_t found = 0;
  while ((found = ::waitpid(pid, &status, WNOHANG)) < 0 && errno == EINTR) continue;
  if (found == 0) return std::nullopt;
  if (found < 0) return Child{.end = Child::End::unseen, .code = errno, .output = {}};
  if (WIFSIGNALED(status)) return Child{.end = Child::End::signalled, .code = WTERMSIG(status), .output = {}};
  return Child{.end = Child::End::exited, .code = WEXITSTATUS(status), .output = {}};
}

// What hangs inside the system does not end before that lets it go; nobody waits for it then.
void stop(pid_t pid) {
  ::kill(pid, SIGKILL);
  for (int looks = 0; looks < 100 && !end_of_fork(pid); ++looks) ::poll(nullptr, 0, 10);
}

// How long a driver has been at one call.
class Silence {
 public:
  Silence(const DriverCalls& calls, std::chrono::milliseconds patience)
      : calls_(calls), patience_(patience) {}

  std::chrono::milliseconds between_looks() const {
    return std::clamp(patience_ / 4, std::chrono::milliseconds(1), kMostBetweenLooks);
  }
  // At each look. What is allowed is read first: it may be taken back as soon as the call has ended.
  bool is_too_long() {
    const auto allowed = patience_ + std::chrono::duration<double>(calls_.allowance);
    const std::uint64_t begun = calls_.begun;
    silent_ =
        calls_.under_way > 0 && begun == last_ ? silent_ + between_looks() : std::chrono::milliseconds(0);
    last_ = begun;
    return silent_ > allowed;
  }

 private:
  const DriverCalls& calls_;
  std::chrono::milliseconds patience_, silent_{0};
  std::uint64_t last_ = 0;
};

// A file without a name that does not grow, or nothing at all where there is no room for one.
int open_unnamed() {
  const int file = ::memfd_create("attention-lab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file >= 0 && ::ftruncate(file, kMostSaid) == 0 && ::fcntl(file, F_ADD_SEALS, F_SEAL_GROW) == 0)
    return file;
  if (file >= 0) ::close(file);
  return ::open("/dev/null", O_RDWR | O_CLOEXEC);
}

// What a driver said, to the standard error.
void tell(int said) {
  std::string text(static_cast<std::size_t>(std::max<off_t>(0, ::lseek(said, 0, SEEK_CUR))), '\0');
  const ssize_t size = ::pread(said, text.data(), text.size(), 0);
  if (size > 0 && ::write(STDERR_FILENO, text.data(), static_cast<std::size_t>(size)) < 0) errno = 0;
}

}  // namespace

// The standard streams as they were, and what was written to them meanwhile.
struct WatchedFork::Streams {
  explicit Streams(int elsewhere)
      : said(elsewhere),
        out(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)),
        error(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)),
        cerr(std::cerr.rdbuf(notes.rdbuf())) {
    // What could not be put back stays as it is.
    if (out >= 0) ::dup2(said, STDOUT_FILENO);
    if (error >= 0) ::dup2(said, STDERR_FILENO);
  }
  ~Streams() {
    ::dup2(out, STDOUT_FILENO);
    ::dup2(error, STDERR_FILENO);
    tell(said);
    std::cerr.rdbuf(cerr);
    std::cerr << notes.view() << std::flush;
    for (const int file : {said, out, error}) ::close(file);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  int said, out, error;
  std::ostringstream notes;
  std::streambuf* cerr;
};

WatchedFork::WatchedFork() {
  void* const memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) shared_ = new (memory) Shared;
}

// The memory stays: threads of a driver may be at a call until the process ends.
WatchedFork::~WatchedFork() = default;

DriverCalls* WatchedFork::calls() const {
  return watched_ ? &shared_->calls : nullptr;
}

std::string WatchedFork::device() const {
  return shared_ ? shared_->calls.device.data() : "";
}

std::optional<Child> WatchedFork::begin(std::chrono::milliseconds patience, const std::string& output) {
  if (!shared_) return std::nullopt;
  new (shared_) Shared;  // nobody else has it now
  const sigset_t signals = looked_for();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  const int said = open_unnamed();
  const pid_t parent = ::getpid(), pid = ::fork();
  std::optional<Child> end;
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) std::_Exit(EXIT_FAILURE);
    before_ = std::make_unique<Streams>(said);
    watched_ = true;
  } else {
    if (pid > 0) end = watch(pid, patience, signals, output);
    tell(said);
    ::close(said);
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return end;
}

Child WatchedFork::watch(pid_t pid, std::chrono::milliseconds patience, const sigset_t& signals,
                         const std::string& output) {
  Silence silence(shared_->calls, patience);
  const timespec look{0, std::chrono::nanoseconds(silence.between_looks()).count()};
  for (;;) {
    const int signal = ::sigtimedwait(&signals, nullptr, &look);
    if (signal > 0 && signal != SIGCHLD) {
      stop(pid);
      remove_abandoned(output);
      end_by_signal(signal);
    }
    if (const auto end = end_of_fork(pid)) {
      if (shared_->stage == Shared::Stage::done) std::_Exit(shared_->status);
      remove_abandoned(output);
      const bool handing_out = shared_->stage == Shared::Stage::handing_out;
      if (end->end == Child::End::signalled && (handing_out || asks_for_the_end(end->code)))
        end_by_signal(end->code);
      if (handing_out) std::_Exit(end->code);
      return *end;
    }
    auto working = Shared::Stage::working;
    if (!silence.is_too_long() || !shared_->stage.compare_exchange_strong(working, Shared::Stage::given_up))
      continue;
    stop(pid);
    remove_abandoned(output);
    return {.end = Child::End::timed_out, .code = 0, .output = {}};
  }
}

void WatchedFork::hand_out() {
  auto working = Shared::Stage::working;
  if (!watched_ || !before_) return;
  if (!shared_->stage.compare_exchange_strong(working, Shared::Stage::handing_out)) std::_Exit(EXIT_FAILURE);
  before_.reset();
}

void WatchedFork::done(int status) {
  hand_out();
  if (!watched_) return;
  shared_->status = status;
  shared_->stage = Shared::Stage::done;
}

}  // namespace attn
