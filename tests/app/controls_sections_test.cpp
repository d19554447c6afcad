// Sections of the controls that fold, with their state; mistakes on purpose; the example chooser.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "app/canvas/steps.h"
#include "app/frame/step_words.h"
#include "app/program/commands.h"
#include "core/attention/layer_fields.h"
#include "tests/app/controls_lab.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct SectionsLab : WorkspaceLab {
  explicit SectionsLab(const char* example = "the-cat-sat-on-mat-causal", const char* workspace = "pipeline")
      : WorkspaceLab(workspace, {.document = read_document(example)}) {}
  bool row(const char* id) { return item(id).has_value(); }
  void step(const char* id) {
    view().canvas().step = id;
    frames(2);
  }
};

}  // namespace

TEST_CASE("a section shows its state while it is folded, and stays as the person left it") {
  SectionsLab lab;
  for (const char* state : {"5 tokens · d 4 · 1 head", "dot · 1/√d_k", "causal", "softmax", "none", "off"})
    CHECK_MESSAGE(lab.find_text(state), state);
  CHECK_FALSE(lab.row("##temperature"));
  lab.click_item("section Scores");
  lab.frames(2);
  CHECK(lab.row("##temperature"));
  lab.app().show(SectionsLab::workspace("heads"));
  lab.settle();
  lab.app().show(SectionsLab::workspace("pipeline"));
  lab.settle();
  lab.frames(2);
  CHECK(lab.row("##temperature"));
  lab.click_item("section Scores");
  lab.frames(2);
  CHECK_FALSE(lab.row("##temperature"));
}

TEST_CASE("the section of what is shown says what of it is on") {
  SectionsLab lab;
  CHECK_FALSE(lab.find_text("steps open"));
  lab.view().layer.open_softmax = true;
  lab.frames(2);
  CHECK(lab.find_text("steps open"));
  lab.view().layer.show_parameters = true;
  lab.frames(2);
  CHECK(lab.find_text("W + 1"));
}

TEST_CASE(
    "every workspace's sections fold to their state, and are there as they were left in the next start" *
    doctest::test_suite("unsanitized")) {
  const ScratchFolder folder;
  const Store store(folder / "config", folder / "state");
  const auto start = [&](const Workspace& workspace) {
    return WorkspaceLab(workspace.name, {.document = read_document("eight-heads"), .store = store});
  };
  const auto sections_of = [](const Headless& lab) {
    std::vector<std::string> found;
    for (const Item& item : lab.items())
      if (const std::string name = item.path.substr(item.path.rfind('/') + 1); name.starts_with("section "))
        found.push_back(name);
    return found;
  };
  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.name);
    std::map<std::string, std::size_t> items;  // of the window, while that section is folded
    std::vector<std::string> sections;
    {
      WorkspaceLab lab = start(workspace);
      lab.resize({1600, 4000});
      lab.view().settings.sections.all = true;
      lab.frames(2);
      sections = sections_of(lab);
      REQUIRE_FALSE(sections.empty());
      for (const std::string& section : sections) {
        CAPTURE(section);
        const std::size_t open = lab.items().size();
        lab.click_item(section);
        lab.frames(2);
        CHECK(lab.items().size() < open);
      }
      lab.click_item(sections.back());
      lab.frames(2);
    }
    WorkspaceLab lab = start(workspace);
    lab.resize({1600, 4000});
    CHECK(sections_of(lab) == sections);
    const auto& left = lab.view().settings.sections.left.at(std::string(workspace.name));
    CHECK(left.size() == sections.size());
    for (const auto& [title, open] : left) CHECK(open == ("section " + title == sections.back()));
  }
}

TEST_CASE("a section that is opened in one workspace is as it was in the others") {
  SectionsLab lab("eight-heads", "heads");
  lab.click_item("section Mask");
  lab.frames(2);
  CHECK(lab.row("fill"));
  lab.app().show(SectionsLab::workspace("pipeline"));
  lab.settle();
  CHECK(lab.item("section Mask"));
  CHECK_FALSE(lab.row("fill"));
}

TEST_CASE("each section that a step names is open and lit in the workspaces that have it" *
          doctest::test_suite("unsanitized")) {
  std::set<std::string> lit, named;
  for (const Workspace& workspace : workspaces()) {
    SectionsLab lab("eight-heads", std::string(workspace.name).c_str());
    lab.resize({1600, 4000});
    for (const StepChip& step : lab.app().steps()) {
      if (!step.words) continue;
      lab.step(step.id.c_str());
      for (const std::string& title : step.words->controls) {
        named.insert(title);
        const auto head = lab.item("section " + title);
        if (!head) continue;
        CAPTURE(title);
        CHECK(lab.text_in(*head).find("this step") != std::string::npos);
        lit.insert(title);
      }
    }
  }
  CHECK(lit == named);
}

TEST_CASE("of layer B, what its sections say other than layer A's is set off") {
  SectionsLab lab("the-cat-sat-on-mat", "compare");
  CHECK(lab.find_text("Layer B"));
  const auto ink_of = [&](const char* section, const char* state) -> ImU32 {
    const Rect head = *lab.item(std::string("section ") + section);
    for (const DrawnText& text : lab.texts())
      if (text.text == state && head.contains(centre(text.box))) return text.colour;
    FAIL(section << " does not say " << state);
    return 0;
  };
  CHECK(ink_of("Mask", "causal") == lab.theme().key);
  CHECK(ink_of("Weights", "softmax") == lab.theme().dim);
  lab.click_item("compare.a");
  lab.frames(2);
  CHECK(lab.find_text("Layer A"));
  CHECK(ink_of("Mask", "none") == lab.theme().dim);
}

TEST_CASE("a section says in few words what it sets") {
  for (const auto& [workspace, states] : std::map<std::string, std::vector<const char*>>{
           {"heads", {"8 on", "index", "each", "cosine", "nearby 2", "8 of 8"}},
           {"positions", {"sinusoidal · 64 × 32", "RoPE + 3", "p 17 · Δ +5", "12 tokens · 8 heads"}},
           {"kernels", {"2 sin x+x · 40 · noise 1", "Gaussian + 3", "σ 0.45", "q 2.4 · 0…5"}},
           {"softmax", {"layer · 12 keys", "softmax + 2", "float32", "d_k 64 · both"}},
           {"cost", {"GPT-2 small · n 4096", "forward", "full + 5"}}}) {
    SectionsLab lab("eight-heads", workspace.c_str());
    for (const char* state : states) CHECK_MESSAGE(lab.find_text(state), state);
  }
}

TEST_CASE("the section that the present step is about is open, and is as it was afterwards") {
  SectionsLab lab;
  lab.step("scaled");
  CHECK(lab.row("##temperature"));
  CHECK(lab.find_text("this step"));
  lab.step("masked");
  CHECK_FALSE(lab.row("##temperature"));
  CHECK(lab.row("fill"));
  leave_steps(lab.view());
  lab.frames(2);
  CHECK_FALSE(lab.row("fill"));
}

TEST_CASE("a row that a command opens for typing, and one that is refused, open their section") {
  SectionsLab lab;
  lab.run("layer.temperature");
  lab.frames(2);
  lab.enter("3");
  CHECK(lab.document().layer().temperature == 3);
  CHECK(lab.row("##temperature"));
  CHECK_FALSE(lab.row("##tokens"));  // the others are folded again
  lab.run("layer.heads");
  lab.frames(2);
  lab.enter("3");
  CHECK(lab.shows("use 2"));
  CHECK(lab.row("##tokens"));
}

TEST_CASE("all sections are opened and folded by a command") {
  SectionsLab lab;
  lab.run("view.sections");
  for (const char* id : {"##tokens", "##temperature", "fill", "weighting", "position", "precision"})
    CHECK_MESSAGE(lab.reveal(id), id);
  lab.run("view.sections");
  CHECK_FALSE(lab.row("##temperature"));
}

TEST_CASE("a mistake on purpose is one step, lit while it is made, and taken back by another click") {
  SectionsLab lab;
  const Document before = lab.document();
  lab.click_item("layer.break.scale-off");
  lab.settle();
  CHECK(lab.document().layer().scale.mode == ScaleMode::none);
  check_undo(lab, before, "scale");
  lab.click_item("layer.break.scale-off");
  lab.settle();
  CHECK(lab.document() == before);
  lab.click_item("layer.break.no-positions");  // none in use: pale, and nothing happens
  lab.settle();
  CHECK(lab.document() == before);
}

TEST_CASE("a mask that is inverted makes the checks say so") {
  SectionsLab lab;
  lab.click_item("layer.break.mask-inverted");
  lab.settle();
  lab.frames(3);
  CHECK(lab.shows("rows with no key left"));
}

TEST_CASE("the example chooser stands in every workspace, says what is open, and opens another") {
  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.name);
    SectionsLab lab("the-cat-sat-on-mat-causal", std::string(workspace.name).c_str());
    CHECK(lab.find_text("the cat sat on mat causal"));
    CHECK(lab.find_text("5 tokens; none sees a later one"));
  }
  SectionsLab lab;
  choose(lab, "example", "eight heads");
  lab.frames(3);
  CHECK(lab.document() == read_document("eight-heads"));
  CHECK(lab.find_text("eight heads"));
  lab.undo();
  CHECK(lab.document() == read_document("the-cat-sat-on-mat-causal"));
}

TEST_CASE("every example has a line about it") {
  for (const std::string& name : examples()) CHECK_MESSAGE(!example_says(name).empty(), name);
}

TEST_CASE("one head is offered eight, several are not") {
  SectionsLab lab("the-cat-sat-on-mat", "heads");
  lab.click_item("open eight heads");
  lab.settle();
  lab.frames(3);
  CHECK(head_count(lab.document().layer()) == 8);
  CHECK_FALSE(lab.item("open eight heads"));
}

TEST_CASE("one's own numbers begin as three tokens of zeros") {
  SectionsLab lab;
  lab.click_item("layer.own");
  lab.settle();
  CHECK(lab.document().layer().direct);
  CHECK(lab.document().layer().q.shape() == Shape{1, 3, 4});
  lab.undo();
  CHECK_FALSE(lab.document().layer().direct);
}
