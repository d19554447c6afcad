// Child processes that end, don't end, and leave others behind.
#include "core/system/child.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <csignal>
#include <fstream>
#include <thread>

using namespace attn;
using namespace std::chrono_literals;

namespace {

Child shell(const std::string& script, const ChildOptions& options = {}) {
  return run_child("/bin/sh", {"-c", script}, options);
}

}  // namespace

TEST_CASE("A child's output and status are what it said") {
  const Child child = shell("echo one; echo two; exit 3");
  CHECK(child.output == "one\ntwo\n");
  CHECK(child.end == Child::End::exited);
  CHECK(child.code == 3);
  CHECK_FALSE(child.succeeded());
  CHECK(child.ending() == "exited with status 3");
  CHECK(shell("true").succeeded());
}

TEST_CASE("What a child says is heard as it comes, its errors too where they are asked for") {
  std::string heard;
  std::vector<std::chrono::steady_clock::time_point> times;
  const ChildOptions options{.errors = true, .heard = [&](std::string_view words) {
                               heard += words;
                               times.push_back(std::chrono::steady_clock::now());
                             }};
  const Child child = shell("echo one; sleep 0.5; echo two >&2", options);
  CHECK(heard == "one\ntwo\n");
  CHECK(child.output == heard);
  REQUIRE(times.size() == 2);
  CHECK(times[1] - times[0] > 300ms);
  CHECK(shell("echo one; echo two >&2").output == "one\n");
}

TEST_CASE("Much output is read to its end and kept up to a limit") {
  CHECK(shell("head -c 300000 /dev/zero").output.size() == 300000);
  CHECK(shell("head -c 9000000 /dev/zero").output.size() <= (std::size_t{1} << 20) + 4096);
}

TEST_CASE("A child is given variables on top of this process's own") {
  CHECK(shell("echo $GIVEN $HOME", {.variables = {{"GIVEN", "one"}, {"HOME", "two"}}}).output == "one two\n");
}

TEST_CASE("A child that is found nowhere is said not to have been started") {
  CHECK(run_child("/nonexistent/program", {}, {}).ending() ==
        "could not be started (No such file or directory)");
}

TEST_CASE("A plain name is looked for on the path") {
  CHECK(run_child("echo", {"found"}, {}).output == "found\n");
}

TEST_CASE("A child that ignores requests to end is ended at the limit") {
  const Child child =
      shell("trap '' TERM INT HUP; echo started; while :; do sleep 1; done", {.limit = 200ms});
  CHECK(child.end == Child::End::timed_out);
  CHECK(child.output == "started\n");
}

TEST_CASE("A child that says something now and then is not ended for its silence") {
  const Child child =
      shell("for word in 1 2 3 4 5; do sleep 0.3; echo $word; done", {.limit = 60s, .silence = 1s});
  CHECK(child.succeeded());
  CHECK(child.output == "1\n2\n3\n4\n5\n");
}

TEST_CASE("A child that says nothing any more is ended, its output open or closed") {
  for (const char* rest : {"exec sleep 60", "exec >&-; sleep 60"}) {
    const Child child = shell(std::string("echo one; ") + rest, {.limit = 60s, .silence = 200ms});
    CHECK(child.end == Child::End::timed_out);
    CHECK(child.output == "one\n");
  }
}

TEST_CASE("A child that keeps talking is ended at the limit") {
  const Child child = shell("while :; do echo word; sleep 0.02; done", {.limit = 300ms, .silence = 60s});
  CHECK(child.end == Child::End::timed_out);
}

TEST_CASE("A child that closes its output is waited for") {
  CHECK(shell("exec >&-; sleep 0.1; exit 7").code == 7);
}

TEST_CASE("A child that leaves another behind with its output open has ended all the same") {
  const Child child = shell("echo done; sleep 600 &");
  CHECK(child.succeeded());
  CHECK(child.output == "done\n");
}

TEST_CASE("What a child leaves behind ends with it") {
  const Child child = shell("sleep 600 & echo $!");
  const std::string left = "/proc/" + child.output.substr(0, child.output.find('\n')) + "/status";
  // Killed at once; whoever inherited it may take a moment to bury it.
  const auto runs = [&] {
    std::ifstream status(left);
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("State:")) return line.find('Z') == line.npos;
    return false;
  };
  for (int tries = 0; tries < 500 && runs(); ++tries) poll(nullptr, 0, 10);
  CHECK_FALSE(runs());
}

TEST_CASE("A child's end is noticed though this process ignores it") {
  void (*const before)(int) = std::signal(SIGCHLD, SIG_IGN);
  const Child child = shell("echo done; exit 3", {.limit = 5s});
  std::signal(SIGCHLD, before);
  CHECK(child.end == Child::End::unseen);
  CHECK(child.output == "done\n");
  CHECK_FALSE(child.succeeded());
  CHECK(child.ending() == "ended, but the system does not say how (No child processes)");
}

TEST_CASE("A child without a limit ends when a stop is asked for") {
  std::stop_source stop;
  std::jthread later([&] { stop.request_stop(); });
  const Child child = shell("trap '' TERM; while :; do sleep 1; done", {.stop = stop.get_token()});
  CHECK(child.end == Child::End::stopped);
}
