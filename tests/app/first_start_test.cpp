// The very first start: the tour of the window begins by itself, once.
#include <doctest/doctest.h>

#include <fstream>

#include "app/program/start.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the first start is one where nothing was remembered, and there is one") {
  const ScratchFolder places;
  Store store(places / "config", places / "state");
  CHECK(store.begin_first_start());
  CHECK_FALSE(store.begin_first_start());
  CHECK_FALSE(Store(places / "config", places / "state").begin_first_start());
}

TEST_CASE("it is no first start where there are settings, work or lessons, or nothing can be written") {
  const ScratchFolder places;
  Store with_settings(places / "a", places / "b");
  with_settings.save_settings({});
  CHECK_FALSE(with_settings.begin_first_start());
  Store with_work(places / "c", places / "d");
  with_work.save_recovery({.document = read_document("three-tokens"), .path = "", .changed = true});
  CHECK_FALSE(with_work.begin_first_start());
  Store with_lessons(places / "e", places / "f");
  with_lessons.save_lessons({.last = "softmax"});
  CHECK_FALSE(with_lessons.begin_first_start());
  CHECK_FALSE(Store().begin_first_start());
  std::ofstream(places / "file") << "no folder";
  CHECK_FALSE(Store(places / "g", places / "file/state").begin_first_start());
}

TEST_CASE("the tour says how it is skipped, and Esc brings the first example as one finds it") {
  const ScratchFolder places;
  const Store store(places / "config", places / "state");
  Headless lab({.document = {}, .opened = start_setup("", store), .size = {1024, 640}});
  begin_tour(lab.app());
  lab.settle();
  lab.frames(3);
  REQUIRE(lab.app().plays_lesson());
  CHECK(lab.app().lesson().lesson->name == kTour);
  CHECK(lab.shows("Esc skips it"));
  lab.key(GLFW_KEY_RIGHT);
  lab.settle();
  lab.frames(3);
  CHECK(lab.app().lesson().step == 1);
  lab.key(GLFW_KEY_ESCAPE);
  lab.settle();
  lab.frames(3);
  CHECK_FALSE(lab.app().plays_lesson());
  CHECK(lab.document() == read_document(kStartExample));
  CHECK_FALSE(lab.app().changed());
  CHECK(store.load_lessons().lessons.at(kTour).step == 1);
}
