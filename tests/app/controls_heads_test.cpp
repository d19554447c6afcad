// The controls of heads: switched off, alone, added, shared, refused with numbers that would do; and that the
// keyboard alone reaches every control.
#include <doctest/doctest.h>

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <set>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "core/edits/edit.h"
#include "tests/app/controls_lab.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document two_heads() {
  return read_document("the-cat-sat-on-mat-two-heads");
}

}  // namespace

TEST_CASE("a head chip switches its head off and the output follows") {
  Headless lab({.document = two_heads()});
  const Tensor both = lab.results()->output("output");
  lab.click_item("switch/head 0");
  CHECK(lab.document().layer().muted_heads == std::vector<std::size_t>{0});
  const Tensor concat = lab.results()->output("concat");
  CHECK(concat[{0, 0, 0}] == 0);
  CHECK(concat[{0, 0, 2}] != 0);
  CHECK_FALSE(lab.results()->output("output") == both);
  lab.click_item("switch/head 0");
  CHECK(lab.results()->output("output") == both);
}

TEST_CASE("Alt and a click leave one head alone and show it") {
  Headless lab({.document = two_heads()});
  lab.hold({.alt = true});
  lab.click_item("switch/head 1");
  lab.hold({});
  CHECK(lab.document().layer().muted_heads == std::vector<std::size_t>{0});
  CHECK(lab.view().layer.head == 1);
  lab.key(GLFW_KEY_2, {.alt = true});  // the same by key: all on again
  CHECK(lab.document().layer().muted_heads.empty());
}

TEST_CASE("plus splits the width into the next number of heads that divides it") {
  Headless lab({.document = two_heads()});
  lab.click_item("add head");
  CHECK(lab.document().layer().heads == 4);
  CHECK(lab.results()->output("weights").stack() == 4);
  CHECK_FALSE(lab.item("add head"));  // every feature has a head of its own
}

TEST_CASE("heads that do not divide the width are refused with those that do") {
  Headless lab({.document = two_heads()});
  enter(lab, "##heads", "3");
  CHECK(lab.document().layer().heads == 2);
  CHECK(lab.shows("3 heads don't divide"));
  CHECK(lab.item("heads/use 2"));
  lab.click_item("heads/use 4");
  CHECK(lab.document().layer().heads == 4);
  CHECK_FALSE(lab.shows("don't divide"));
}

TEST_CASE("key and value heads are shared by groups of heads") {
  Headless lab({.document = two_heads()});
  lab.click_item("add head");
  lab.click_item("kv_heads-");
  CHECK(lab.document().layer().kv_heads == 2);
  CHECK(lab.results()->output("k").stack() == 2);
  CHECK(lab.results()->output("scores").stack() == 4);
}

TEST_CASE("more heads than there are features are refused with the most there can be") {
  Headless lab({.document = two_heads()});
  enter(lab, "##heads", "9");
  CHECK(lab.document().layer().heads == 2);
  CHECK(lab.item("heads/use 4"));
  CHECK_FALSE(lab.item("heads/use 2"));
  CHECK(possible_heads(two_heads().layer()) == std::vector<std::size_t>{1, 2, 4});
}

TEST_CASE("the keyboard alone reaches a control and changes a weight") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  lab.view().settings.sections.all = true;
  const Tensor before = lab.results()->output("weights");
  const auto focused = [&] {
    for (const Item& item : lab.items())
      if (item.id == ImGui::GetCurrentContext()->NavId) return item.path;
    return std::string();
  };
  bool reached = false;
  for (int i = 0; i < 200 && !reached; ++i) {
    lab.key(GLFW_KEY_TAB);
    reached = focused().ends_with("##temperature");
  }
  REQUIRE(reached);
  CHECK(ImGui::GetIO().NavVisible);
  lab.key(GLFW_KEY_UP);
  CHECK(lab.document().layer().temperature > 1);
  lab.key(GLFW_KEY_ENTER);
  lab.type("6");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.document().layer().temperature == 6);
  CHECK_FALSE(lab.results()->output("weights") == before);
}

TEST_CASE("Tab reaches every control and Space presses a chip" * doctest::test_suite("unsanitized")) {
  Headless lab({.document = read_document("the-cat-sat-on-mat-two-heads")});
  lab.view().settings.sections.all = true;
  std::set<std::string> visited;
  for (int i = 0; i < 250; ++i) {
    lab.key(GLFW_KEY_TAB);
    for (const Item& item : lab.items())
      if (item.id == ImGui::GetCurrentContext()->NavId)
        visited.insert(item.path.substr(item.path.rfind('/') + 1));
    if (visited.contains("causal") && !causal_of(lab.document().layer()) && !visited.contains("padding"))
      lab.key(GLFW_KEY_SPACE);
  }
  CHECK(causal_of(lab.document().layer()));
  CHECK_FALSE(lab.view().canvas().playing);
  for (const char* id : {"##tokens", "##width",         "##heads",   "scale",  "##temperature",
                         "source",   "causal",          "padding",   "fill",   "empty_row",
                         "position", "##position.base", "##dropout", "head 0", "add head",
                         "show W",   "example",         "back",      "play",   "step scores"})
    CHECK_MESSAGE(visited.contains(id), id);
}
