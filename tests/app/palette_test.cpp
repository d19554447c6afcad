// The palette by the whole text of an entry, what undo and redo say, and what opens the key sheet.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include "app/host/headless.h"
#include "tests/app/documents.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the palette finds an entry by all of its text and puts it first") {
  Headless lab({.document = read_document(kStartExample)});
  lab.key(GLFW_KEY_P, kControlShift);
  lab.frame();
  lab.type("view/theme: light");
  lab.frame();
  CHECK(lab.shows("View/Theme: Light"));
  CHECK_FALSE(lab.shows("No matching command"));
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.view().settings.theme == ThemeName::light);
  lab.key(GLFW_KEY_P, kControlShift);
  lab.frame();
  lab.key(GLFW_KEY_A, kControl);
  lab.type("save");  // others have the word too, some of them before it
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  CHECK(lab.view().overlays.files.saving);
}

TEST_CASE("undo and redo say what they did") {
  Headless lab({.document = read_document(kStartExample)});
  Document edited = lab.document();
  edited.layer().temperature = 3;
  lab.app().change(edited);
  lab.key(GLFW_KEY_Z, kControl);
  CHECK(lab.view().message == "undone: temperature 3");
  lab.key(GLFW_KEY_Z, kControl);
  CHECK(lab.view().message.empty());  // there is nothing more
  lab.key(GLFW_KEY_Z, kControlShift);
  CHECK(lab.view().message == "redone: temperature 3");
  CHECK(lab.document() == edited);
}

TEST_CASE("the key sheet opens by the character ?, whatever keys make it, and not while a text is typed") {
  Headless lab({.document = read_document(kStartExample)});
  lab.key(GLFW_KEY_SLASH, {.shift = true});  // of a layout where these are another character
  CHECK_FALSE(lab.view().overlays.keys);
  lab.hold({.shift = true});
  lab.key_down(GLFW_KEY_MINUS);  // where ? is in German
  lab.type("?");
  lab.key_up(GLFW_KEY_MINUS);
  lab.hold({});
  CHECK(lab.view().overlays.keys);
  lab.type("?");
  CHECK_FALSE(lab.view().overlays.keys);
  lab.key(GLFW_KEY_F1);
  lab.frames(2);
  lab.type("why?");
  CHECK_FALSE(lab.view().overlays.keys);
  CHECK(lab.view().overlays.manual.words == "why?");
}
