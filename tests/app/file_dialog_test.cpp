// The program's own file dialog: what it asks, where the keys go, when it looks into folders.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/words.h"
#include "tests/environment.h"

using namespace attn;
using namespace attn::tests;

namespace {

class DialogLab : public ScratchFolder, public Headless {
 public:
  DialogLab()
      : Headless({.document = read_document("the-cat-sat-on-mat-two-heads"), .settings = Settings{}}) {}

  FileDialog& dialog() { return view().overlays.files; }
  std::string path(const std::string& name) const { return static_cast<const ScratchFolder&>(*this) / name; }
  void ask(bool saving) {
    saving ? key(GLFW_KEY_S, kControlShift) : key(GLFW_KEY_O, kControl);
    dialog().folder = path("");
    dialog().name.clear();
    frames(3);
  }
  void answer(const std::string& name) {
    type(name);
    key(GLFW_KEY_ENTER);
    frames(2);
  }
  bool holds(const std::string& name, const std::string& text) const {
    const auto bytes = read_file(path(name));
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == text;
  }
};

}  // namespace

TEST_CASE("a new work is proposed to be saved under a name that desktops know") {
  DialogLab lab;
  lab.key(GLFW_KEY_S, kControl);
  lab.frames(3);
  CHECK(lab.dialog().name == "untitled.attention.json");
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  lab.app().open("three-tokens");
  lab.frames(3);
  lab.key(GLFW_KEY_S, kControl);
  CHECK(lab.dialog().name == "three-tokens.attention.json");
  lab.key(GLFW_KEY_ESCAPE);
  REQUIRE(lab.app().save(lab.path("mine.attention.json")));
  lab.app().keep_both();
  CHECK(lab.dialog().name == "mine 2.attention.json");
}

TEST_CASE("saving over another file asks first and Enter alone does not replace it") {
  DialogLab lab;
  write_file(lab.path("mine.json"), "the old one");
  lab.ask(true);
  lab.answer("mine");
  CHECK(lab.dialog().open);
  CHECK(lab.shows("mine.json is there already"));
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  CHECK(lab.holds("mine.json", "the old one"));
  lab.click_item("replace");
  lab.frame();
  CHECK_FALSE(lab.dialog().open);
  CHECK(read_document(lab.path("mine.json")) == lab.document());
}

TEST_CASE("whether a file is replaced is answered by Tab and Enter too") {
  DialogLab lab;
  write_file(lab.path("mine.json"), "the old one");
  lab.ask(true);
  lab.answer("mine");
  for (int i = 0; i < 3; ++i) {  // past the button and "Another name"
    lab.key(GLFW_KEY_TAB);
    lab.frames(2);
  }
  CHECK(lab.holds("mine.json", "the old one"));
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  CHECK_FALSE(lab.dialog().open);
  CHECK(read_document(lab.path("mine.json")) == lab.document());
}

TEST_CASE("Esc and another name take back the question whether to replace a file") {
  DialogLab lab;
  write_file(lab.path("mine.json"), "the old one");
  lab.ask(true);
  lab.answer("mine");
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK(lab.dialog().open);
  CHECK_FALSE(lab.shows("is there already"));
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  CHECK(lab.shows("is there already"));
  lab.click_item("keep");
  lab.frames(3);
  CHECK_FALSE(lab.shows("is there already"));
  lab.key(GLFW_KEY_END);
  lab.answer("2");
  CHECK_FALSE(lab.dialog().open);
  CHECK(lab.holds("mine.json", "the old one"));
}

TEST_CASE("saving over the work's own file is no question") {
  DialogLab lab;
  lab.app().save(lab.path("mine.json"));
  Document changed = lab.document();
  changed.layer().temperature = 2;
  lab.app().change(changed);
  lab.ask(true);
  lab.answer("mine");
  CHECK_FALSE(lab.dialog().open);
  CHECK(read_document(lab.path("mine.json")) == changed);
}

TEST_CASE("keys after a refused name stay in the dialog") {
  DialogLab lab;
  const Document before = lab.document();
  lab.ask(false);
  lab.answer("nosuch");
  CHECK(lab.shows("there is no such file"));
  for (const int key : {GLFW_KEY_1, GLFW_KEY_2, GLFW_KEY_F, GLFW_KEY_SPACE, GLFW_KEY_RIGHT}) lab.key(key);
  CHECK(lab.document() == before);
  CHECK_FALSE(lab.view().canvas().playing);
  CHECK_FALSE(lab.view().canvas().step);
  lab.type("12");
  CHECK(contains(lab.dialog().name, "12"));
}

TEST_CASE("a save that is refused leaves the dialog with the reason and the next keys correct the name") {
  DialogLab lab;
  const Document before = lab.document();
  lab.ask(true);
  lab.answer("nosuch/mine");
  CHECK(lab.dialog().open);
  CHECK(contains(lab.dialog().error, "there is no such folder; create it first"));
  CHECK(lab.shows("create it first"));
  for (const int key : {GLFW_KEY_1, GLFW_KEY_2, GLFW_KEY_F, GLFW_KEY_SPACE, GLFW_KEY_RIGHT}) lab.key(key);
  CHECK(lab.document() == before);
  CHECK_FALSE(lab.view().canvas().playing);
  CHECK_FALSE(lab.view().canvas().step);
  lab.key(GLFW_KEY_A, kControl);
  lab.answer("mine");
  CHECK_FALSE(lab.dialog().open);
  CHECK(read_document(lab.path("mine.json")) == before);
}

TEST_CASE("a save before the end that is refused ends nothing") {
  DialogLab lab;
  lab.app().ask_for_file(true, true);
  lab.dialog().folder = lab.path("");
  lab.dialog().name.clear();
  lab.frames(3);
  lab.answer("nosuch/mine");
  CHECK_FALSE(lab.app().quit_requested());
  CHECK(lab.dialog().open);
  lab.key(GLFW_KEY_A, kControl);
  lab.answer("mine");
  CHECK(lab.app().quit_requested());
}

TEST_CASE("keys after a click next to the name do nothing behind the dialog") {
  DialogLab lab;
  const Document before = lab.document();
  lab.ask(false);
  const auto box = lab.find_text("Open a session, an .npz, a picture or a lesson");
  REQUIRE(box);
  lab.click(centre(*box));
  for (const int key : {GLFW_KEY_1, GLFW_KEY_SPACE}) lab.key(key);
  CHECK(lab.document() == before);
  CHECK_FALSE(lab.view().canvas().playing);
}

TEST_CASE("a folder is looked into when it is entered and not in every frame") {
  DialogLab lab;
  write_file(lab.path("one.json"), "{}");
  std::filesystem::create_directory(lab.path("inner"));
  lab.ask(false);
  CHECK(lab.shows("one.json"));
  write_file(lab.path("two.json"), "{}");
  lab.frames(3);
  CHECK_FALSE(lab.shows("two.json"));
  lab.answer("inner");
  CHECK_FALSE(lab.shows("one.json"));
  lab.answer("..");
  CHECK(lab.shows("two.json"));
}

TEST_CASE("a click on a file and Enter opens it") {
  DialogLab lab;
  lab.app().save(lab.path("mine.json"));
  lab.app().open("three-tokens");
  lab.ask(false);
  lab.click_item("mine.json");
  lab.frames(3);
  CHECK(lab.dialog().open);
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  CHECK_FALSE(lab.dialog().open);
  CHECK(lab.document() == read_document("the-cat-sat-on-mat-two-heads"));
}

TEST_CASE("a dialog of the desktop that is open keeps its purpose whatever is asked meanwhile") {
  const ScratchFolder folder;
  const std::string answer = folder / "answer", file = folder / "picked.json";
  REQUIRE(::mkfifo(answer.c_str(), 0600) == 0);
  write_file(folder / "zenity", "#!/bin/sh\nread -r path < '" + answer + "'\necho \"$path\"\n");
  std::filesystem::permissions(folder / "zenity", std::filesystem::perms::owner_all);
  const Environment path("PATH", folder / "");
  Document picked = read_document("three-tokens");
  picked.layer().temperature = 2;
  write_file(file, write_session(picked));
  Application::Setup setup;
  setup.document = read_document(kStartExample);
  setup.native_dialogs = true;
  Headless lab({.document = {}, .settings = Settings{}, .opened = std::move(setup)});
  lab.key(GLFW_KEY_O, kControl);
  lab.key(GLFW_KEY_S, kControlShift);
  CHECK(lab.view().message == "a file dialog is open already");
  std::ofstream(answer) << file << "\n";
  for (int i = 0; i < 10'000 && !(lab.document() == picked); ++i) lab.frame();
  CHECK(lab.document() == picked);
  CHECK(read_document(file) == picked);
}
