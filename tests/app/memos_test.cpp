// What frames work out and keep: made once, counted, dropped over the budget, and there for commands too.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include "app/frame/memos.h"
#include "app/workspaces/kernels/view.h"
#include "app/workspaces/softmax/view.h"
#include "core/evaluate/results.h"
#include "core/kernels/graph.h"
#include "tests/app/heads_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct Words {
  std::vector<char> text = {};
  int made = 0;
  std::size_t bytes() const { return bytes_of_all(text); }
};

void make_words(Words& words, const Results&) {
  ++words.made;
}

// The program's workspaces without their regions: nothing is drawn of any.
std::vector<Workspace> undrawn() {
  std::vector<Workspace> all(workspaces().begin(), workspaces().end());
  for (Workspace& workspace : all) {
    workspace.draw = [](Frame&, Rect) {};
    workspace.controls = nullptr, workspace.inspect = nullptr, workspace.open = nullptr;
  }
  return all;
}

// What keys leave behind in a workspace, drawn or not.
struct AfterKeys {
  Document document;
  std::size_t head;
  std::optional<std::size_t> key, point;
  std::optional<Spot> pinned;
  std::string message, typed;
  bool operator==(const AfterKeys&) const = default;
};

AfterKeys press(std::span<const Workspace> all, const Plan& plan, const Document& document,
                std::initializer_list<int> keys) {
  Headless lab({.document = document, .settings = Settings{}, .workspaces = all});
  for (const Workspace& workspace : all)
    if (workspace.build == plan.build) lab.app().show(workspace);
  lab.settle();
  for (const int key : keys) {
    lab.key(key);
    lab.settle();
  }
  const View& view = lab.view();
  return {.document = lab.document(),
          .head = view.layer.head,
          .key = view.of<SoftmaxView>().key,
          .point = view.of<KernelsView>().selected,
          .pinned = view.pinned,
          .message = view.message,
          .typed = view.field ? view.field->text : ""};
}

}  // namespace

TEST_CASE("what is worked out of results is made once and anew of others") {
  Budget budget;
  Memos memos(budget);
  const auto one = std::make_shared<const Results>(), other = std::make_shared<const Results>();
  CHECK(memos.of<Words>(one, make_words).made == 1);
  memos.end_frame();
  CHECK(memos.of<Words>(one, make_words).made == 1);
  CHECK(memos.of<Words>(other, make_words).made == 2);
  CHECK(memos.of<Words>(one, make_words).made == 3);
}

TEST_CASE("what was not made in full is made again") {
  Budget budget;
  Memos memos(budget);
  const auto results = std::make_shared<const Results>();
  memos.of<Words>(std::make_shared<const Results>(), make_words);
  CHECK_THROWS(memos.of<Words>(results, [](Words&, const Results&) { throw 1; }));
  CHECK(memos.of<Words>(results, make_words).made == 2);
}

TEST_CASE("over the budget goes what no frame has asked for the longest and never what this one did") {
  Budget budget(4000);
  Memos memos(budget);
  const auto ask = [&](const char* name) -> Words& { return memos.of<Words>(name); };
  ask("first").text.resize(1500);
  memos.end_frame();
  CHECK(budget.held(Budget::frames) >= 1500);
  CHECK(budget.held(Budget::frames) < 1700);
  ask("second").text.resize(1500);
  memos.end_frame();
  ask("first");
  memos.end_frame();
  ask("third").text.resize(1500);
  memos.end_frame();
  CHECK(ask("first").text.size() == 1500);
  CHECK(ask("third").text.size() == 1500);
  memos.end_frame();
  CHECK(ask("second").text.empty());
  ask("fourth").text.resize(9000);
  memos.end_frame();
  CHECK(ask("fourth").text.size() == 9000);
  CHECK(ask("first").text.empty());
}

TEST_CASE("what a workspace has worked out is counted in the budget") {
  const auto budget = std::make_shared<Budget>();
  Headless lab({.document = read_document("three-tokens"), .settings = Settings{}, .budget = budget});
  const std::size_t before = budget->held(Budget::frames);
  lab.app().show(HeadsLab::workspace(kKernelsPlan.name));
  lab.settle();
  lab.frames(2);
  // At least the curves: the estimates at 101 queries, where they are read, and the lines on screen.
  CHECK(budget->held(Budget::frames) > before + 4 * 101 * (2 * sizeof(float) + sizeof(ImVec2)));
}

TEST_CASE("commands need nothing that a panel has drawn" * doctest::test_suite("unsanitized")) {
  const std::vector<Workspace> none = undrawn();
  const auto same = [&](const char* name, const Document& document, std::initializer_list<int> keys) {
    INFO(name);
    const Plan& plan = HeadsLab::workspace(name);
    const AfterKeys expected = press(workspaces(), plan, document, keys),
                    outcome = press(none, plan, document, keys);
    CHECK(outcome == expected);
    return expected;
  };
  const Document heads = read_document("eight-heads");
  CHECK(same("heads", heads, {GLFW_KEY_E, GLFW_KEY_N, GLFW_KEY_N, GLFW_KEY_N}).head != 3);
  CHECK_FALSE(same("softmax", heads, {GLFW_KEY_N, GLFW_KEY_M}).document == heads);
  CHECK(same("softmax", heads, {GLFW_KEY_R, GLFW_KEY_P}).pinned);
  CHECK(same("softmax", heads, {GLFW_KEY_R, GLFW_KEY_O}).document.softmax.source == RowSource::own);
  CHECK(same("softmax", heads, {GLFW_KEY_N, GLFW_KEY_E}).typed != "");
  CHECK(same("kernels", heads, {GLFW_KEY_INSERT}).document.kernels.points.rows() == heads.kernels.count + 1);
  CHECK(same("kernels", heads, {GLFW_KEY_B}).document.kernels.widths != heads.kernels.widths);
}
