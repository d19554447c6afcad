// What counts as a driver's silence, and what does not. The test's process is not what forks: it would end as
// the child does.
#include "core/engine/watched_fork.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

using namespace attn;

namespace {

constexpr int kDone = 7, kHung = 8, kCrashed = 9;

// How a program ends that has 1 ms of patience with this work.
int end_with(const std::function<void(DriverCalls&)>& work) {
  std::cout.flush();  // else what waits to be printed is printed by both
  const pid_t program = ::fork();
  if (program == 0) {
    WatchedFork fork;
    if (const auto child = fork.begin(std::chrono::milliseconds(1), ""))
      std::_Exit(child->end == Child::End::timed_out ? kHung : kCrashed);
    work(*fork.calls());
    fork.done(kDone);
    std::_Exit(EXIT_FAILURE);  // what follows done() makes no difference
  }
  int status = -1;
  CHECK(::waitpid(program, &status, 0) == program);
  CHECK(WIFEXITED(status));
  return WEXITSTATUS(status);
}

void take_long() {
  ::poll(nullptr, 0, 100);
}

}  // namespace

TEST_CASE("A call that takes longer than the patience with it ends the child") {
  CHECK(end_with([](DriverCalls& calls) {
          const DriverCall call(&calls);
          for (;;) ::pause();
        }) == kHung);
}

TEST_CASE("A call that has much to do is waited for") {
  CHECK(end_with([](DriverCalls& calls) {
          calls.allowance = 1e6;
          const DriverCall call(&calls);
          take_long();
        }) == kDone);
}

TEST_CASE("Work of our own is waited for however long it takes") {
  CHECK(end_with([](DriverCalls& calls) {
          calls.allowance = 1e6;  // a busy machine may leave us there
          { const DriverCall call(&calls); }
          calls.allowance = 0;
          take_long();
        }) == kDone);
}

TEST_CASE("A child that ends without having done its work is told of") {
  CHECK(end_with([](DriverCalls&) { std::_Exit(0); }) == kCrashed);
  CHECK(end_with([](DriverCalls&) { ::raise(SIGKILL); }) == kCrashed);
}

TEST_CASE("What is printed before the work is done is held back and comes once") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const int before = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  const int status = end_with([](DriverCalls&) {
    CHECK(::write(STDOUT_FILENO, "driver ", 7) == 7);
    CHECK(::write(STDERR_FILENO, "said ", 5) == 5);
  });
  ::dup2(before, STDERR_FILENO);
  for (const int end : {before, ends[1]}) ::close(end);
  char text[64];
  const ssize_t size = ::read(ends[0], text, sizeof text);
  ::close(ends[0]);
  CHECK(status == kDone);
  CHECK(std::string(text, static_cast<std::size_t>(std::max<ssize_t>(0, size))) == "driver said ");
}
