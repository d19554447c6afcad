// The manual in the window: opened where one is, searched, walked through by links and keys.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/manual/pages.h"
#include "app/manual/span_layout.h"
#include "app/program/help_commands.h"
#include "app/widgets/words.h"
#include "tests/app/documents.h"
#include "tests/app/workspace_lab.h"
#include "tests/contains.h"

using namespace attn;
using namespace attn::tests;

namespace {

WorkspaceLab opened(std::string_view workspace, ImVec2 size = {1600, 1000}) {
  return WorkspaceLab(workspace,
                      {.document = read_document(kStartExample), .settings = Settings{}, .size = size});
}

void press_f1(WorkspaceLab& lab) {
  lab.key(GLFW_KEY_F1);
  lab.frames(3);
}

const ManualView& manual(WorkspaceLab& lab) {
  return lab.view().overlays.manual;
}

}  // namespace

TEST_CASE("F1 opens the manual at the page of the workspace and closes it") {
  for (const Workspace& workspace : workspaces()) {
    INFO(workspace.name);
    WorkspaceLab lab = opened(workspace.name);
    press_f1(lab);
    REQUIRE(manual(lab).open);
    CHECK(manual(lab).at.page == workspace.name);
    CHECK(lab.item("page " + std::string(workspace.name)));
    press_f1(lab);
    CHECK_FALSE(manual(lab).open);
  }
}

TEST_CASE("pages stand in the order of the tabs behind what attention is") {
  const auto list = contents(workspaces());
  REQUIRE(list.size() == manual_pages().size());
  CHECK(list.front()->title == "What attention is");
  for (std::size_t i = 0; i < workspaces().size(); ++i) CHECK(list[i + 1]->name == workspaces()[i].name);
  CHECK(list[list.size() - 5]->name == "files");
  CHECK(list[list.size() - 4]->name == "lessons");
  CHECK(list[list.size() - 3]->name == "languages");
  CHECK(list[list.size() - 2]->name == "command-line");
  CHECK(list.back()->name == "glossary");
  const Workspace nameless{};
  CHECK(&page_of(nameless) == list.front());
}

TEST_CASE("a link opens its page and Backspace and Alt+← go back to where one was") {
  WorkspaceLab lab = opened("pipeline", {1024, 640});
  lab.run("help.attention");
  CHECK(manual(lab).at.page == "attention");
  for (int i = 0; i < 30; ++i) lab.key(GLFW_KEY_DOWN);
  const float scroll = manual(lab).at.scroll;
  CHECK(scroll > 100);
  lab.click_item("link3");
  lab.frames(2);
  CHECK(manual(lab).at.page == "positions");
  CHECK(manual(lab).at.scroll == 0);
  lab.key(GLFW_KEY_BACKSPACE);
  lab.frames(2);
  CHECK(manual(lab).at.page == "attention");
  CHECK(manual(lab).at.scroll == scroll);
  lab.click_item("page files");
  lab.frames(2);
  CHECK(manual(lab).at.page == "files");
  lab.key(GLFW_KEY_LEFT, {.alt = true});
  lab.frames(2);
  CHECK(manual(lab).at.page == "attention");
  CHECK(lab.view().workspace->name == "pipeline");
}

TEST_CASE("words find headings and paragraphs and Enter opens the first") {
  WorkspaceLab lab = opened("pipeline");
  press_f1(lab);
  lab.type("scale mask");
  lab.frames(2);
  CHECK(lab.shows("What attention is"));
  lab.key(GLFW_KEY_ENTER);
  lab.frames(3);
  REQUIRE(manual(lab).block);
  CHECK(manual(lab).at.page == "attention");
  CHECK(lead_of(manual_page("attention")->blocks[*manual(lab).block]) == "Scale and mask");
  CHECK(manual(lab).words.empty());
  lab.type("quetzalcoatl");
  lab.frames(2);
  CHECK(lab.shows("Nothing found in the manual"));
  lab.key(GLFW_KEY_ENTER);
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK_FALSE(manual(lab).open);
  CHECK(lab.document() == read_document(kStartExample));
}

TEST_CASE("a passage that is far down is in sight when it is opened") {
  WorkspaceLab lab = opened("pipeline", {1024, 640});
  press_f1(lab);
  lab.type("largest error against the reference");
  lab.frames(2);
  lab.key(GLFW_KEY_ENTER);
  lab.frames(3);
  CHECK(manual(lab).at.page == "command-line");
  CHECK(manual(lab).at.scroll > 1000);
  CHECK(lab.shows("Verdicts"));
}

TEST_CASE("page keys scroll by pages, down to the last line") {
  WorkspaceLab lab = opened("pipeline", {1024, 640});
  lab.view().overlays.manual.show("command-line");
  lab.frames(3);
  lab.key(GLFW_KEY_PAGE_DOWN);
  lab.frames(2);
  const float page = manual(lab).at.scroll;
  CHECK(page > 200);
  CHECK(page < 600);
  lab.key(GLFW_KEY_PAGE_UP);
  lab.frames(2);
  CHECK(manual(lab).at.scroll == 0);
  for (int i = 0; i < 40; ++i) lab.key(GLFW_KEY_PAGE_DOWN);
  CHECK(lab.shows("SIGKILL"));
  CHECK(lab.view().workspace->name == "pipeline");
}

TEST_CASE("code keeps its indents and is copied by a click") {
  WorkspaceLab lab = opened("pipeline");
  lab.view().overlays.manual.show("dump");
  lab.frames(3);
  lab.click_item("code0");
  lab.frames(2);
  const std::string copied = lab.clipboard;
  CHECK(copied.starts_with("import numpy as np, torch\n\nmodel = "));
  CHECK(contains(copied, "\n    return output, weights\n"));

  const Theme theme = lab.theme();
  const Spans code{{.text = "a\n\n  b = 1\nc", .code = true}};
  const SpanLayout lines = lay_out(theme, code, 400);
  REQUIRE(lines.pieces.size() == 5);
  const float pitch = lines.pieces[4].at.y - lines.pieces[1].at.y;
  CHECK(lines.pieces[1].at.y == doctest::Approx(2 * pitch));
  CHECK(lines.pieces[1].at.x == doctest::Approx(2 * text_width(theme.fonts.body, "0")));
  CHECK(lines.pieces[3].at.y == lines.pieces[1].at.y);
  CHECK(lines.pieces[4].at.x == 0);
  const SpanLayout narrow = lay_out(theme, code, lines.pieces[2].at.x);
  CHECK(narrow.pieces[2].at.x == narrow.pieces[1].at.x);  // what is broken off stands below
  CHECK(narrow.pieces[2].at.y > narrow.pieces[1].at.y);
}

TEST_CASE("Tab reaches the pages and Enter opens one") {
  WorkspaceLab lab = opened("pipeline");
  press_f1(lab);
  lab.key(GLFW_KEY_TAB);
  lab.key(GLFW_KEY_ENTER);
  lab.frames(3);
  CHECK(manual(lab).at.page == "attention");
  CHECK(manual(lab).back.size() == 1);
}

TEST_CASE("the palette finds headings of the manual behind commands") {
  WorkspaceLab lab = opened("pipeline");
  lab.key(GLFW_KEY_P, kControlShift);
  lab.frame();
  lab.type("manual scale");
  lab.frame();
  CHECK(lab.shows("Manual: Scale and mask (What attention is)"));
  lab.key(GLFW_KEY_ENTER);
  lab.frames(3);
  CHECK(manual(lab).open);
  CHECK(manual(lab).at.page == "attention");
  CHECK(manual(lab).block);
  lab.key(GLFW_KEY_P, kControlShift);
  lab.frame();
  CHECK(table_key(lab.app()).palette);
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK_FALSE(table_key(lab.app()).palette);
  CHECK(manual(lab).open);  // it waited below
}

TEST_CASE("passages of the manual are the last commands, and are there where they are asked for alone") {
  WorkspaceLab lab = opened("pipeline");
  const auto of_manual = [](const Command& command) { return is_passage_command(command.name); };
  const auto table = make_commands(lab.app());
  const auto first = std::ranges::find_if(table, of_manual);
  CHECK(table.end() - first > 100);
  CHECK(std::all_of(first, table.end(), of_manual));
  CHECK(make_commands(lab.app(), false).size() == static_cast<std::size_t>(first - table.begin()));
}
