// A work's file that another program, or another window, writes or removes: what is known of it, what is
// said, and that nothing is written over unasked.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <atomic>

#include "app/host/headless.h"
#include "app/program/file_watch.h"
#include "app/program/input.h"
#include "app/program/start.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

using namespace std::chrono_literals;

// One file, and the windows that have it open.
struct Shared : ScratchFolder {
  Shared() { write_file(file, write_session(warm(1))); }
  Application::Setup start(const std::string& input, std::chrono::milliseconds look_period = 24h) const {
    Application::Setup setup = start_setup(input, Store(*this / "config", *this / "state"));
    setup.look_period = look_period;
    return setup;
  }
  Headless::Options window(std::chrono::milliseconds look_period = 24h) const {
    return {.document = {}, .settings = Settings{}, .opened = start(file, look_period)};
  }

  std::string file = *this / "mine.json";
};

// A window with an edit of its own, on a file that was written by another one since.
struct Late : Shared {
  Late() {
    Headless first(window());
    first.app().change(warm(2));
    first.key(GLFW_KEY_S, kControl);
    REQUIRE(read_document(file) == warm(2));
    lab.app().change(warm(3));
    lab.frame();
    lab.key(GLFW_KEY_S, kControl);
    lab.frames(3);
  }

  Headless lab{window()};
};

void wait_for(Headless& lab, FileLine::About about) {
  for (int i = 0; i < 100'000 && lab.view().file.about != about; ++i) lab.frame();
  CHECK(lab.view().file.about == about);
  lab.frame();
}

}  // namespace

TEST_CASE("of two windows on one file the second that saves asks and overwrites nothing") {
  Late late;
  CHECK(read_document(late.file) == warm(2));
  CHECK(late.lab.app().changed());
  CHECK(late.lab.view().message_is_error);
  CHECK(contains(late.lab.view().message, "not saved"));
  CHECK(late.lab.shows("Not saved: mine.json was changed on the disk"));
  late.lab.key(GLFW_KEY_S, kControl);
  CHECK(read_document(late.file) == warm(2));
}

TEST_CASE("a refused save keeps both by Enter alone under another name that is proposed") {
  Late late;
  late.lab.key(GLFW_KEY_ENTER);
  late.lab.frames(3);
  REQUIRE(late.lab.view().overlays.files.open);
  CHECK(late.lab.view().overlays.files.name == "mine 2.json");
  late.lab.key(GLFW_KEY_ENTER);
  late.lab.frames(2);
  CHECK(read_document(late.file) == warm(2));
  CHECK(read_document(late / "mine 2.json") == warm(3));
  CHECK(late.lab.app().path() == late / "mine 2.json");
  CHECK_FALSE(late.lab.shows("was changed on the disk"));
}

TEST_CASE("a refused save opens the file on the disk by Tab and Enter and loses no edit") {
  Late late;
  late.lab.key(GLFW_KEY_TAB);
  late.lab.frames(2);
  late.lab.key(GLFW_KEY_ENTER);
  late.lab.settle();
  late.lab.frame();
  CHECK(late.lab.document() == warm(2));
  CHECK_FALSE(late.lab.app().changed());
  CHECK_FALSE(late.lab.shows("was changed on the disk"));
  const std::vector<std::string> recent = late.lab.app().store().recent_files();
  CHECK(std::ranges::any_of(recent, [](const std::string& kept) { return read_document(kept) == warm(3); }));
  late.lab.app().undo();
  CHECK(late.lab.document() == warm(3));
  CHECK_FALSE(late.lab.app().save(late.file));  // that one never read it
  late.lab.app().redo();
  late.lab.app().change(warm(4));
  CHECK(late.lab.app().save(late.file));
}

TEST_CASE("a refused save overwrites the file when that is asked for and not again unasked") {
  Late late;
  late.lab.click_item("file/overwrite");
  late.lab.frame();
  CHECK(read_document(late.file) == warm(3));
  CHECK_FALSE(late.lab.app().changed());
  CHECK_FALSE(late.lab.shows("was changed on the disk"));
  late.lab.app().change(warm(5));
  late.lab.key(GLFW_KEY_S, kControl);  // its own file now
  CHECK(read_document(late.file) == warm(5));
}

TEST_CASE("a refused save can wait and is refused again") {
  Late late;
  late.lab.click_item("file/later");
  late.lab.frame();
  CHECK_FALSE(late.lab.shows("was changed on the disk since it was opened here. Both"));
  late.lab.key(GLFW_KEY_S, kControl);
  late.lab.frames(2);
  CHECK(late.lab.shows("Not saved: mine.json"));
  CHECK(read_document(late.file) == warm(2));
}

TEST_CASE("what to do about a changed file stands among the commands for as long as it is changed") {
  Late late;
  const auto has = [&](const char* name) {
    const auto commands = make_commands(late.lab.app());
    return std::ranges::count(commands, name, &Command::name) == 1;
  };
  for (const char* name : {"file.keep_both", "file.open_theirs", "file.overwrite"}) CHECK(has(name));
  CHECK(late.lab.app().save(late.file, true));
  for (const char* name : {"file.keep_both", "file.open_theirs", "file.overwrite"}) CHECK_FALSE(has(name));
}

TEST_CASE("closing does not close when the file that is saved to was changed on the disk") {
  Late late;
  late.lab.app().save_and_quit();
  CHECK_FALSE(late.lab.app().quit_requested());
  CHECK(read_document(late.file) == warm(2));
}

TEST_CASE("the dialog asks before it replaces a changed file of the work however its path is written") {
  Late late;
  std::filesystem::create_directory(late / "inner");
  for (const std::string name : {"mine.json", "inner/../mine.json"}) {
    CAPTURE(name);
    late.lab.app().ask_for_file(true);
    late.lab.view().overlays.files.name = name;
    late.lab.frames(3);
    late.lab.key(GLFW_KEY_ENTER);
    late.lab.frames(2);
    CHECK(late.lab.view().overlays.files.open);
    CHECK(late.lab.shows("mine.json was changed on the disk. Replace it?"));
    CHECK(read_document(late.file) == warm(2));
  }
  late.lab.click_item("replace");
  late.lab.frame();
  CHECK_FALSE(late.lab.view().overlays.files.open);
  CHECK(read_document(late.file) == warm(3));
}

TEST_CASE("a file that was written with what is to be saved is no question") {
  const Shared shared;
  Headless lab(shared.window());
  lab.app().change(warm(2));
  write_file(shared.file, lab.app().session());
  CHECK(lab.app().save(shared.file));
  lab.app().change(warm(3));
  std::filesystem::remove(shared.file);  // nothing is there to be lost
  CHECK(lab.app().save(shared.file));
}

TEST_CASE("a file that changed between two starts of a work with edits is not overwritten") {
  const Shared shared;
  {
    Headless lab(shared.window());
    lab.app().change(warm(3));
    lab.frame();
    lab.app().request_quit();
  }
  const auto time = std::filesystem::last_write_time(shared.file);
  write_file(shared.file, write_session(warm(2)));
  std::filesystem::last_write_time(shared.file, time);  // of the same size too: its content tells
  Headless lab({.document = {}, .settings = Settings{}, .opened = shared.start("")});
  REQUIRE(lab.document() == warm(3));
  CHECK_FALSE(lab.app().save(shared.file));
  CHECK(read_document(shared.file) == warm(2));
}

TEST_CASE("a file that changes on the disk is told of though nothing was edited") {
  const Shared shared;
  Headless lab(shared.window(0ms));
  write_file(shared.file, write_session(warm(2)));
  wait_for(lab, FileLine::changed);
  CHECK(lab.shows("mine.json was changed on the disk since it was opened here"));
  CHECK_FALSE(lab.shows("Not saved"));
  write_file(shared.file, write_session(warm(1)));
  wait_for(lab, FileLine::nothing);
  write_file(shared.file, write_session(warm(2)));
  wait_for(lab, FileLine::changed);
  lab.click_item("file/theirs");
  lab.settle();
  CHECK(lab.document() == warm(2));
  wait_for(lab, FileLine::nothing);
}

TEST_CASE("a file that goes is told of and saved again at a press") {
  const Shared shared;
  Headless lab(shared.window(0ms));
  std::filesystem::remove(shared.file);
  wait_for(lab, FileLine::gone);
  CHECK(lab.shows("mine.json is no longer on the disk"));
  lab.click_item("file/save");
  CHECK(read_document(shared.file) == warm(1));
  wait_for(lab, FileLine::nothing);
}

TEST_CASE("a file that goes after a save was refused is told of too") {
  for (const bool closed : {false, true}) {
    CAPTURE(closed);
    const Shared shared;
    Headless lab(shared.window(0ms));
    lab.app().change(warm(3));
    write_file(shared.file, write_session(warm(2)));
    CHECK_FALSE(lab.app().save(shared.file));
    lab.frames(2);
    CHECK(lab.shows("Not saved"));
    if (closed) lab.click_item("file/later");
    std::filesystem::remove(shared.file);
    wait_for(lab, FileLine::gone);
    CHECK(lab.shows("mine.json is no longer on the disk"));
  }
}

TEST_CASE("a save that is refused is said though the file was gone before") {
  const Shared shared;
  Headless lab(shared.window(0ms));
  std::filesystem::remove(shared.file);
  wait_for(lab, FileLine::gone);
  lab.app().change(warm(3));
  write_file(shared.file, write_session(warm(2)));
  CHECK_FALSE(lab.app().save(shared.file));
  lab.frames(3);
  CHECK(lab.shows("Not saved"));
}

TEST_CASE("a file that cannot be read is not gone and not written over unasked") {
  const Shared shared;
  Headless lab(shared.window(0ms));
  lab.app().change(warm(3));
  std::filesystem::resize_file(shared.file,
                               std::uintmax_t{5} << 30);  // a hole; more than is read of any file
  wait_for(lab, FileLine::changed);
  CHECK_FALSE(lab.app().save(shared.file));
  CHECK(std::filesystem::file_size(shared.file) == std::uintmax_t{5} << 30);
  CHECK(mark_of_file(shared.file) != FileMark());
  std::filesystem::create_symlink("circle", shared / "circle");
  CHECK(mark_of_file(shared / "circle").has_value());
  CHECK_FALSE(mark_of_file(shared / "nothing").has_value());
}

TEST_CASE("a watched file wakes the window when it is another and not because time goes by") {
  const Shared shared;
  std::atomic<int> told = 0;
  FileWatch watch([&] { ++told; }, 0ms);
  const FileMark known = *mark_of_file(shared.file);
  watch.watch(shared.file, known);
  const auto wait = [&](int times) {
    for (int i = 0; i < 10'000'000 && told < times; ++i) std::this_thread::yield();
    REQUIRE(told == times);
  };
  write_file(shared.file, write_session(warm(1)));  // another file with the same content
  write_file(shared.file, write_session(warm(2)));
  wait(1);
  CHECK(watch.seen() == FileWatch::State::changed);
  watch.watch(shared.file, known);  // as every frame does
  CHECK(watch.seen() == FileWatch::State::changed);
  std::filesystem::remove(shared.file);
  wait(2);
  CHECK(watch.seen() == FileWatch::State::gone);
  CHECK(told == 2);
  watch.watch("", {});
  CHECK(watch.seen() == FileWatch::State::as_known);
}
