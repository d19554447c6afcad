// Quitting, whatever is still under way.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/host/leaving.h"
#include "app/program/native_dialog.h"

using namespace attn;

TEST_CASE("a dialog of the desktop that ignores requests to close does not keep the program") {
  NativeDialog dialog(true, {});
  dialog.open({"/bin/sh", "-c", "trap '' TERM HUP INT; while :; do sleep 1; done"}, {});
  CHECK(dialog.is_open());
}

TEST_CASE("the path that a dialog of the desktop prints is taken once") {
  std::atomic<bool> done = false;
  NativeDialog dialog(true, [&] {
    done = true;
    done.notify_all();
  });
  dialog.open({"/bin/sh", "-c", "echo '/a path/b.json'"}, {.saving = true});
  done.wait(false);
  CHECK(dialog.is_open());
  const auto choice = dialog.take_result();
  REQUIRE(choice);
  CHECK(choice->path == "/a path/b.json");
  CHECK(choice->purpose.saving);
  CHECK_FALSE(choice->purpose.then_quit);
  CHECK_FALSE(dialog.take_result());
}

TEST_CASE("a process that is to leave does so though its threads hang") {
  const pid_t child = ::fork();
  if (child == 0) {
    leave_within(std::chrono::milliseconds(1));
    for (;;) ::pause();
  }
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
