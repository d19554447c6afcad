// A document whose computation ended the program is shown, and computed when it is asked for.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "app/program/start.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr const char* kHeldWords = "was being computed when the program ended";

// Windows of one state folder, one after the other.
struct Windows : ScratchFolder {
  Store store() const { return Store(*this / "config", *this / "state"); }
  Headless::Options start() const {
    return {.document = {}, .settings = Settings{}, .opened = start_setup("", store())};
  }
  // One that ends while it computes.
  void end_in(const Document& document) const {
    Store killed = store();
    killed.save_recovery({document, "", true});
    killed.set_computing(true);
  }
};

}  // namespace

TEST_CASE("a document whose computation ended the program waits to be asked for") {
  const Windows windows;
  windows.end_in(warm(2));
  Headless lab(windows.start());
  CHECK(lab.document() == warm(2));
  CHECK(lab.results() == nullptr);
  CHECK(lab.shows(kHeldWords));
  CHECK_FALSE(lab.shows("computing"));
  CHECK(lab.app().stopped());
  lab.click_item("notice/compute");
  lab.settle();
  REQUIRE(lab.results());
  CHECK(lab.results()->document == warm(2));
  CHECK_FALSE(lab.shows(kHeldWords));
}

TEST_CASE("it waits at every start until it is asked for and then never again") {
  const Windows windows;
  windows.end_in(warm(2));
  for (int start = 0; start < 2; ++start) {
    Headless lab(windows.start());
    CHECK(lab.results() == nullptr);
  }
  {
    Headless lab(windows.start());
    lab.app().compute_again();
    lab.settle();
    CHECK(lab.results() != nullptr);
  }
  Headless lab(windows.start());
  CHECK(lab.results() != nullptr);
}

TEST_CASE("another document is computed and going back to the one that waits is not asking") {
  const Windows windows;
  windows.end_in(warm(2));
  {
    Headless lab(windows.start());
    lab.app().change(warm(3));
    lab.settle();
    REQUIRE(lab.results());
    CHECK(lab.results()->document == warm(3));
    CHECK_FALSE(lab.shows(kHeldWords));
    lab.app().undo();
    lab.settle();
    CHECK(lab.results()->document == warm(3));
    CHECK(lab.shows(kHeldWords));
  }
  Headless lab(windows.start());
  CHECK(lab.results() == nullptr);
}

TEST_CASE("a document that was computed to its end does not wait though the program was killed") {
  const Windows windows;
  Headless lab({.document = warm(2), .store = windows.store()});
  lab.app().change(warm(3));
  lab.settle();
  for (int i = 0; i < 100'000 && !lab.app().remembered(); ++i) lab.frame();
  REQUIRE(lab.app().remembered());
  lab.frame();
  // What the window's end would not have changed: its recovery, under another name.
  std::filesystem::copy(windows / "state", windows / "copy");
  const Application::Setup next = start_setup("", Store(windows / "config", windows / "copy"));
  CHECK(next.document == warm(3));
  CHECK_FALSE(next.held);
}
