// The palette by the whole text of an entry, and what undo and redo say.
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
