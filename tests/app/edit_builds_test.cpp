// How often graphs are built for one number: once, whoever shows it.
#include <doctest/doctest.h>

#include <atomic>

#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::atomic<int> built = 0;

template <std::size_t kWhich>
Built counted(const Document& document, Address address) {
  ++built;
  return workspaces()[kWhich].build(document, address);
}

// The table of workspaces, each of which counts.
template <std::size_t... kAll>
std::vector<Workspace> counting(std::index_sequence<kAll...>) {
  std::vector<Workspace> table(workspaces().begin(), workspaces().end());
  REQUIRE(table.size() <= sizeof...(kAll));
  ((kAll < table.size() ? void(table[kAll].build = counted<kAll>) : void()), ...);
  return table;
}

// Into the first cell of the matrix of a stage.
int builds_of_typing(Headless& lab, const std::string& stage, const std::string& number) {
  const auto cells = lab.item(stage + "/cells");
  REQUIRE(cells);
  lab.click({cells->min.x + cells->width() / 10, cells->min.y + cells->height() / 10});
  lab.type(number);
  lab.frames(2);
  built = 0;
  const Document before = lab.document();
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  lab.frames(2);
  CHECK_FALSE(lab.document() == before);
  return built;
}

// Of a number in the document that is dragged sideways, for each time that it became another.
double builds_of_dragging(Headless& lab, const std::string& stage) {
  const auto cells = lab.item(stage + "/cells");
  REQUIRE(cells);
  const ImVec2 from{cells->min.x + cells->width() / 10, cells->min.y + cells->height() / 10};
  lab.move(from);
  lab.press();
  lab.move({from.x + 6, from.y});
  lab.settle();
  built = 0;
  int changes = 0;
  for (float x = 8; x < 60; x += 4) {
    const Document before = lab.document();
    lab.move({from.x + x, from.y});
    changes += !(lab.document() == before);
  }
  lab.release();
  lab.settle();
  REQUIRE(changes > 10);
  return static_cast<double>(built) / changes;
}

}  // namespace

TEST_CASE("a number that is set builds one graph whichever workspace shows it") {
  const std::vector<Workspace> table = counting(std::make_index_sequence<16>());
  Document document = read_document("the-cat-sat-on-mat-two-heads");
  document.overrides.push_back(typed("weights", {0, 1, 0}, 0.25f));
  Headless lab({.document = document, .settings = Settings{}, .size = {2560, 2000}, .workspaces = table});
  int shown = 0;
  for (const Workspace& workspace : table) {
    if (!workspace.base && &workspace != &table.front()) continue;
    CAPTURE(workspace.name);
    lab.app().show(workspace);
    lab.settle();
    lab.frames(2);
    const std::string stage = lab.item("b.weights/cells") ? "b.weights" : "weights";
    if (!lab.item(stage + "/cells")) continue;  // it draws other things of the layer
    ++shown;
    builds_of_typing(lab, stage, "0.5");  // in Compare B becomes a layer of its own
    CHECK(builds_of_typing(lab, stage, "0.25") == 1);
    if (lab.item("x/cells")) CHECK(builds_of_dragging(lab, "x") == 1);
  }
  CHECK(shown == 4);
}
