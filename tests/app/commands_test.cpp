// The command table through the keys, the palette and the dialogs, without a screen.
#include "app/frame/commands.h"

#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document changed_example() {
  Document document = read_document(kStartExample);
  document.layer().temperature = 2;
  return document;
}

std::string text_of(const std::string& path) {
  const auto bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("command names are unique and no two enabled commands share a key") {
  Headless lab({.document = read_document("the-cat-sat-on-mat-two-heads")});
  std::set<std::string> names, keys;
  for (const Command& command : make_commands(lab.app())) {
    CHECK(names.insert(command.name).second);
    CHECK(!command.title.empty());
    if (command.shortcut) CHECK(keys.insert(to_string(command.shortcut)).second);
    for (const Shortcut& other : command.other_keys) CHECK(keys.insert(to_string(other)).second);
  }
  CHECK(names.size() > 40);
}

TEST_CASE("undo and redo by keys go back and forth and name what they undo") {
  Headless lab({.document = read_document(kStartExample)});
  lab.app().change(changed_example());
  lab.frame();
  lab.key(GLFW_KEY_Z, kControl);
  CHECK(lab.document() == read_document(kStartExample));
  lab.key(GLFW_KEY_Z, kControlShift);
  CHECK(lab.document() == changed_example());
  const auto commands = make_commands(lab.app());
  const auto undo = std::ranges::find(commands, "edit.undo", &Command::name);
  CHECK(undo->title == "Undo temperature 2");
}

TEST_CASE("the interface grows by every key that a plus is typed with") {
  Headless lab({.document = read_document(kStartExample), .settings = Settings{}});
  float scale = 1;
  for (const auto& [key, modifiers] :
       {std::pair(GLFW_KEY_EQUAL, kControl), std::pair(GLFW_KEY_EQUAL, kControlShift),
        std::pair(GLFW_KEY_KP_ADD, kControl)}) {
    lab.key(key, modifiers);
    CHECK(lab.view().settings.ui_scale > scale);
    scale = lab.view().settings.ui_scale;
  }
}

TEST_CASE("a message stays until the next key or click") {
  Headless lab({.document = read_document(kStartExample), .settings = Settings{}});
  lab.app().say("done");
  lab.frames(3);
  CHECK(lab.shows("done"));
  lab.key(GLFW_KEY_F5);
  CHECK_FALSE(lab.shows("done"));
  lab.app().say("that failed", true);
  lab.key(GLFW_KEY_F5);
  CHECK(lab.shows("that failed"));
}

TEST_CASE("the palette finds a command by its words and Enter runs it") {
  Headless lab({.document = read_document(kStartExample)});
  lab.key(GLFW_KEY_P, kControlShift);
  CHECK(lab.view().overlays.palette);
  lab.frame();
  lab.type("light theme");
  lab.key(GLFW_KEY_ENTER);
  CHECK(!lab.view().overlays.palette);
  CHECK(lab.view().settings.theme == ThemeName::light);
}

TEST_CASE("undoing in the palette does not reach into what was typed there before") {
  Headless lab({.document = read_document(kStartExample)});
  const auto open = [&] {
    lab.key(GLFW_KEY_P, kControlShift);
    lab.frame();
  };
  open();
  lab.type("theme");
  lab.key(GLFW_KEY_ENTER);
  open();
  for (int i = 0; i < 8; ++i) lab.key(GLFW_KEY_Z, kControl);
  CHECK(lab.view().overlays.palette_text.empty());
  lab.type("x");
  CHECK(lab.view().overlays.palette_text == "x");
}

TEST_CASE("the palette takes the second match with the down key and Esc leaves everything") {
  Headless lab({.document = read_document(kStartExample)});
  lab.key(GLFW_KEY_P, kControlShift);
  lab.frame();
  lab.type("theme");
  lab.key(GLFW_KEY_DOWN);
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.view().settings.theme == ThemeName::light);
  lab.key(GLFW_KEY_P, kControlShift);
  lab.frame();
  lab.type("new");
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(!lab.view().overlays.palette);
  CHECK(lab.document() == read_document(kStartExample));
  CHECK(!lab.app().quit_requested());
}

TEST_CASE("the key sheet shows every key of the table") {
  Headless lab({.document = read_document(kStartExample), .size = {1600, 2400}});
  lab.type("?");
  lab.frames(2);
  CHECK(lab.shows("Ctrl+Shift+P"));
  CHECK(lab.shows("Undo"));
  CHECK(lab.shows("drag a number sideways"));
  lab.key(GLFW_KEY_ESCAPE);
  lab.frame();
  CHECK(!lab.shows("drag a number sideways"));
}

TEST_CASE("a session is saved under a name typed into the dialog and opened again") {
  const ScratchFolder folder;
  Headless lab({.document = read_document(kStartExample)});
  lab.app().change(changed_example());
  lab.frame();
  CHECK(lab.app().title().starts_with("●"));
  lab.key(GLFW_KEY_S, kControl);
  CHECK(lab.view().overlays.files.open);
  lab.view().overlays.files.folder = folder / "";
  lab.view().overlays.files.name.clear();
  lab.frames(2);
  lab.type("mine");
  lab.key(GLFW_KEY_ENTER);
  lab.frame();
  CHECK(!lab.view().overlays.files.open);
  CHECK(parse_session(text_of(folder / "mine.json")) == changed_example());
  CHECK(lab.app().title() == "mine.json – Attention Lab");
  lab.app().open("three-tokens");
  CHECK(lab.document() == read_document("three-tokens"));
  lab.app().open(folder / "mine.json");
  CHECK(lab.document() == changed_example());
  lab.app().undo();
  CHECK(lab.document() == read_document("three-tokens"));
}

TEST_CASE("files that cannot be opened or written are sentences and lose nothing") {
  const ScratchFolder folder;
  Headless lab({.document = changed_example()});
  lab.app().open(folder / "missing.json");
  CHECK(lab.view().message_is_error);
  CHECK(lab.view().message.find("no such file") != std::string::npos);
  write_file(folder / "broken.json", "{\"format\": ");
  lab.app().open(folder / "broken.json");
  CHECK(lab.view().message.find("broken.json") != std::string::npos);
  lab.app().save(folder / "no/such/folder.json");
  CHECK(lab.view().message_is_error);
  CHECK(lab.document() == changed_example());
}

TEST_CASE("examples open although the working folder is gone") {
  const std::filesystem::path here = std::filesystem::current_path();
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "gone");
  std::filesystem::current_path(folder / "gone");
  std::filesystem::remove(folder / "gone");
  Headless lab({.document = changed_example()});
  lab.app().open("three-tokens");
  CHECK(lab.document() == read_document("three-tokens"));
  std::filesystem::current_path(here);
}

TEST_CASE("a dropped file is opened and becomes a recent one") {
  const ScratchFolder folder;
  write_file(folder / "dropped.json", write_session(changed_example()));
  Headless lab(
      {.document = read_document("three-tokens"), .store = Store(folder / "config", folder / "state")});
  lab.app().dropped({folder / "dropped.json"});
  lab.frame();
  CHECK(lab.document() == changed_example());
  CHECK(lab.app().store().recent_files() == std::vector<std::string>{folder / "dropped.json"});
}

TEST_CASE("undoing the opening of a file goes back to the file before") {
  const ScratchFolder folder;
  Document first = changed_example(), second = first;
  second.layer().temperature = 7;
  write_file(folder / "first.json", write_session(first));
  write_file(folder / "second.json", write_session(second));
  Headless lab({.document = read_document("three-tokens")});
  lab.app().open(folder / "first.json");
  lab.app().open(folder / "second.json");
  CHECK(lab.app().title() == "second.json – Attention Lab");
  lab.app().undo();
  CHECK(lab.app().title() == "first.json – Attention Lab");
  lab.key(GLFW_KEY_S, kControl);
  lab.frame();
  CHECK(parse_session(text_of(folder / "first.json")) == first);
  CHECK(parse_session(text_of(folder / "second.json")) == second);
  lab.app().save(folder / "second.json");  // the other file's work differs from it now
  lab.app().redo();
  CHECK(lab.app().title() == "● second.json – Attention Lab");
  lab.app().jump(0);
  CHECK(lab.app().title() == "untitled – Attention Lab");
}

TEST_CASE("unsaved work that another file takes the place of stays among the recent files") {
  const ScratchFolder folder;
  {
    Headless lab(
        {.document = read_document("three-tokens"), .store = Store(folder / "config", folder / "state")});
    lab.app().open("the-cat-sat-on-mat");
    CHECK(lab.app().store().recent_files().empty());  // nothing was unsaved
    lab.app().change(changed_example());
    lab.app().open("three-tokens");
    REQUIRE(lab.app().store().recent_files().size() == 1);
    CHECK(lab.view().message.find("unsaved") != std::string::npos);
  }
  Headless lab(
      {.document = read_document("three-tokens"), .store = Store(folder / "config", folder / "state")});
  const std::string kept = lab.app().store().recent_files().at(0);
  CHECK(kept.find("untitled, unsaved 20") != std::string::npos);
  lab.app().open(kept);
  CHECK(lab.document() == changed_example());
  CHECK(lab.app().title() == "● untitled – Attention Lab");  // it still has no file of the user's
  lab.app().open("three-tokens");
  CHECK(lab.app().store().recent_files() == std::vector<std::string>{kept});  // no second copy
}

TEST_CASE("closing asks nothing and the next start has the work with its unsaved mark") {
  const ScratchFolder folder;
  {
    Headless lab(
        {.document = read_document("three-tokens"), .store = Store(folder / "config", folder / "state")});
    lab.app().change(changed_example());
    lab.view().settings.theme = ThemeName::light;
    lab.frame();
    lab.key(GLFW_KEY_Q, kControl);
    CHECK(lab.app().quit_requested());
  }
  const Store store(folder / "config", folder / "state");
  CHECK(store.load_recovery()->document == changed_example());
  CHECK(store.load_recovery()->changed);
  CHECK(store.load_settings().theme == ThemeName::light);
}

TEST_CASE("the scale keys stay within half and three" * doctest::test_suite("unsanitized")) {
  Headless lab({.document = read_document(kStartExample)});
  for (int i = 0; i < 40; ++i) lab.key(GLFW_KEY_EQUAL, kControl);
  CHECK(lab.view().settings.ui_scale == 3);
  lab.key(GLFW_KEY_0, kControl);
  CHECK(lab.view().settings.ui_scale == 1);
  for (int i = 0; i < 40; ++i) lab.key(GLFW_KEY_MINUS, kControl);
  CHECK(lab.view().settings.ui_scale == 0.5f);
}

TEST_CASE("number keys switch heads and with Alt leave one alone") {
  Headless lab({.document = read_document("the-cat-sat-on-mat-two-heads")});
  lab.key(GLFW_KEY_1);
  CHECK(lab.document().layer().muted_heads == std::vector<std::size_t>{0});
  lab.key(GLFW_KEY_1);
  CHECK(lab.document().layer().muted_heads.empty());
  lab.key(GLFW_KEY_1, {.alt = true});
  CHECK(lab.document().layer().muted_heads == std::vector<std::size_t>{1});
}
