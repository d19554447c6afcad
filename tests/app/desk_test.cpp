// What a command may do on a desk, and what becomes of it.
#include "app/frame/desk.h"

#include <doctest/doctest.h>

#include "app/host/headless.h"
#include "app/program/commands.h"
#include "app/program/input.h"
#include "core/system/error.h"

using namespace attn;

TEST_CASE("what a command changes is one step of the history and what it asks for is done") {
  Headless lab({.document = read_document(kStartExample)});
  const Workspace& last = lab.app().workspaces().back();
  const std::size_t steps = lab.app().history().steps().size();
  lab.app().run(Command{
      .name = "test.edit", .title = "Edit and show", .menu = "", .shortcut = {}, .run = [&](Desk& desk) {
        desk.draft.layer().temperature = 3;
        desk.draft.layer().soft_cap = 5;
        desk.asks.emplace_back(ShowWorkspace{&last});
      }});
  CHECK(lab.document().layer().temperature == 3);
  CHECK(lab.document().layer().soft_cap == 5);
  CHECK(lab.app().history().steps().size() == steps + 1);
  CHECK(&lab.app().workspace() == &last);
  lab.app().undo();
  CHECK(lab.document() == read_document(kStartExample));
}

TEST_CASE("a command that throws changes nothing of the document and asks for nothing") {
  Headless lab({.document = read_document(kStartExample)});
  const Workspace& first = lab.app().workspace();
  lab.app().run(
      Command{.name = "test.refused", .title = "Refused", .menu = "", .shortcut = {}, .run = [&](Desk& desk) {
                desk.draft.layer().temperature = 3;
                desk.asks.emplace_back(ShowWorkspace{&lab.app().workspaces().back()});
                throw Error("it cannot be done: do something else");
              }});
  CHECK(lab.document() == read_document(kStartExample));
  CHECK_FALSE(lab.app().history().can_undo());
  CHECK(&lab.app().workspace() == &first);
  CHECK(lab.view().message == "it cannot be done: do something else");
  CHECK(lab.view().message_is_error);
}

TEST_CASE("the computation on screen is copied as a program, and what cannot be one says why") {
  Headless lab({.document = read_document(kStartExample)});
  lab.settle();
  const auto run = [&](const std::string& name) {
    for (const Command& command : make_commands(lab.app()))
      if (command.name == name) return lab.app().run(command);
    FAIL("there is no command " << name);
  };
  run("edit.copy_code.numpy");
  CHECK(lab.view().message == "the computation, copied as NumPy");
  const std::string text = ImGui::GetClipboardText();
  CHECK(text.starts_with("import math\n\nimport numpy as np\n"));
  CHECK(text.ends_with("output = output[0]\n"));
  run("edit.copy_code.markdown");
  CHECK(std::string(ImGui::GetClipboardText()).starts_with("## "));
  ImGui::SetClipboardText("");
  lab.app().run(
      Command{.name = "test.cap", .title = "Cap", .menu = "", .shortcut = {}, .run = [](Desk& desk) {
                desk.draft.layer().soft_cap = 5;
              }});
  lab.settle();
  run("edit.copy_code.pytorch-sdpa");
  CHECK(lab.view().message_is_error);
  CHECK(lab.view().message.find("scaled_dot_product_attention cannot compute this layer: ") == 0);
  CHECK(std::string(ImGui::GetClipboardText()).empty());
}
