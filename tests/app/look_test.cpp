// What is looked at, said in words: set, read back, kept in sessions, pictures and the recovery.
#include "app/frame/look.h"

#include <doctest/doctest.h>

#include "app/program/start.h"
#include "app/workspaces/cost/view.h"
#include "app/workspaces/heads/view.h"
#include "app/workspaces/kernels/view.h"
#include "app/workspaces/positions/view.h"
#include "app/workspaces/softmax/view.h"
#include "app/workspaces/workspaces.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "tests/app/documents.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/words.h"
#include "tests/app/workspace_lab.h"
#include "tests/places.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A view and a document that words are said to.
struct Said {
  Document document = read_document("eight-heads");
  View view = {};

  Said() { view.workspace = &workspaces().front(); }
  void look(std::string_view words) { attn::look(words, document, view, workspaces()); }
  std::string words() const { return look_of(view, workspaces()); }
  std::string error(std::string_view words) {
    try {
      look(words);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
};

}  // namespace

TEST_CASE("a look says fields of the part, of the view, of the layer's view, a step and a number") {
  Said said;
  said.look(
      "heads: map mean, large_head 4, row 3, step scores, pinned scores 4 3 1; positions: p 18, length 24");
  CHECK(said.view.workspace->name == "heads");
  CHECK(said.document.heads.map == HeadMap::mean);
  CHECK(said.document.positions.length == 24);
  CHECK(said.view.layer.head == 4);
  CHECK(said.view.of<HeadsView>().row == 3);
  CHECK(said.view.of<PositionsView>().p == 18);
  CHECK(said.view.canvas().step == "scores");
  CHECK(said.view.pinned == Spot{"scores", {4, 3, 1}});
  said.look("pipeline: pinned none; heads: step none");
  CHECK(said.view.workspace->name == "pipeline");
  CHECK_FALSE(said.view.pinned);
  CHECK_FALSE(said.view.canvases.at(&WorkspaceLab::workspace("heads")).step);
  CHECK(said.view.layer.head == 4);
}

TEST_CASE("what a look says is what it is set by, in every workspace and for every type of field") {
  const std::string words =
      "cost: opened flash memory, longest 256, large_head 7, parameters on, softmax on, paint one_head, "
      "pinned "
      "weights "
      "7 2 1; heads: row 5, step scores; compare: controls_a on; positions: p 3, delta -7, shown distance; "
      "kernels: q 1.25, shown 1, value 2, selected 4, truth_drawn off, weights_drawn off; softmax: key 2";
  Said said;
  said.look(words);
  CHECK(said.view.of<CostView>() == CostView{{MechanismKind::flash, std::nullopt, true}, 256});
  CHECK(said.view.of<KernelsView>() == KernelsView{1.25, 1, 2, 4, false, false});
  CHECK(said.view.of<SoftmaxView>().key == 2);
  CHECK(said.view.layer == LayerView{7, true, true, LayerView::one_head});
  Said again;
  again.look(said.words());
  CHECK(again.words() == said.words());
  CHECK(again.view.layer == said.view.layer);
  CHECK(again.view.of<PositionsView>() == said.view.of<PositionsView>());
  CHECK(again.view.pinned == said.view.pinned);
}

TEST_CASE("no field of two that a workspace says by name bears the name of another") {
  for (const Workspace& workspace : workspaces()) {
    ValueWords names = field_names<LayerView>();
    for (const NamedFields& fields : workspace.fields)
      std::ranges::copy(fields.names(), std::back_inserter(names));
    names.insert(names.end(), {"step", "pinned"});
    std::ranges::sort(names);
    INFO(workspace.name);
    CHECK(std::ranges::adjacent_find(names) == names.end());
  }
}

TEST_CASE("as new, a look is the workspace alone") {
  Said said;
  CHECK(said.words() == "pipeline");
  said.look("softmax");
  CHECK(said.words() == "softmax");
  said.look(" ; ");
  CHECK(said.words() == "softmax");
}

TEST_CASE("words that cannot be looked at are refused by name and change nothing") {
  Said said;
  const Document before = said.document;
  const auto refuses = [&](const char* words, const char* why) {
    const std::string error = said.error(words);
    INFO(words, " → ", error);
    CHECK(contains(error, why));
    CHECK(said.document == before);
    CHECK(said.words() == "pipeline");
  };
  refuses("head: map mean", "there is no workspace \"head\"; there are pipeline, heads");
  refuses("heads: map mean, mop each", "heads: there is no mop; did you mean map?");
  refuses("heads: row 2, map meen", "did you mean \"mean\"? It takes each, mean, maximum");
  refuses("heads: map", "heads: map: says no value; it takes each");
  refuses("heads: large_head 8", "there is no head 8: there are 8, counted from 0");
  refuses("heads: nearby 65", "a whole number from 1 to 64");
  refuses("heads: row -1", "a whole number from 0 up");
  refuses("kernels: q nan", "it takes a number");
  refuses("kernels: selected first", "a whole number from 0 up, or none");
  refuses("kernels: kernels gaussian gausian", "did you mean \"gaussian\"");
  refuses("kernels: widths 0.1 -1", "widths: cannot be \"0.1 -1\"");
  refuses("cost: opened flash score", "a mechanism and a stage, all or memory");
  refuses("positions: delta 1.5", "it takes a whole number");
  refuses("pipeline: softmax yes", "it takes on or off");
  refuses("pipeline: step nowhere", "a stage that a step computes");
  refuses("pipeline: pinned scores 0 0", "STAGE HEAD ROW COLUMN");
  refuses("pipeline: pinned scors 0 0 0", "did you mean \"scores\"");
  refuses("pipeline: pinned scores 0 12 0", "a cell of scores, which is 8×12×12");
}

TEST_CASE("a look at more than there is draws what there is") {
  for (const char* words : {"positions: p 1000000, delta -99999", "heads: row 9999", "softmax: key 99",
                            "kernels: q 1e300, selected 99999, shown 17, value 9", "cost: longest 1"}) {
    INFO(words);
    Headless lab({.document = read_document("eight-heads")});
    lab.app().look(words);
    lab.settle();
    lab.frames(2);
    CHECK(lab.app().engine_state().error.empty());
  }
}

TEST_CASE("a look in the window is one step of the history where it changes the document") {
  WorkspaceLab lab("pipeline", {.document = read_document("eight-heads")});
  const std::size_t steps = lab.steps();
  lab.app().look("heads: map mean, against 2, large_head 4");
  lab.settle();
  lab.frames(2);
  CHECK(lab.steps() == steps + 1);
  CHECK(lab.app().workspace().name == "heads");
  CHECK(lab.view().layer.head == 4);
  lab.app().look("heads: row 3");
  CHECK(lab.steps() == steps + 1);
  lab.undo();
  CHECK(lab.document().heads.map == HeadMap::each);
}

TEST_CASE("a session is looked at again as it was saved") {
  const TemporaryFolder folder;
  const std::string file = folder / "mine.json";
  const char* const words = "heads: row 3, large_head 4, pinned scores 4 3 1, step scores; positions: p 18";
  {
    WorkspaceLab lab("pipeline", {.document = read_document("eight-heads")});
    lab.app().look(words);
    REQUIRE(lab.app().save(file));
    CHECK_FALSE(lab.app().changed());
  }
  WorkspaceLab lab("softmax", {.document = read_document("three-tokens")});
  lab.view().of<KernelsView>().q = 7;
  lab.app().open(file);
  lab.app().wait_for_reading(std::chrono::seconds(60));
  lab.settle();
  lab.frames(2);
  CHECK(look_of(lab.view(), workspaces()) == words);
  CHECK(lab.document() == read_document("eight-heads"));
  CHECK_FALSE(lab.app().changed());
  SUBCASE("and one without a look leaves the workspace as it is") {
    write_file(file, write_session(read_document("three-tokens")));
    lab.app().open(file);
    lab.app().wait_for_reading(std::chrono::seconds(60));
    lab.frames(2);
    CHECK(lab.app().workspace().name == "heads");
  }
  SUBCASE("and one with a look that is no longer possible says so and is open all the same") {
    write_file(file, write_session(read_document("three-tokens"), "heads: glow 3"));
    lab.app().open(file);
    lab.app().wait_for_reading(std::chrono::seconds(60));
    lab.frames(2);
    CHECK(lab.document() == read_document("three-tokens"));
    CHECK(contains(lab.view().message, "the view was not restored: heads: there is no glow"));
  }
}

TEST_CASE("render draws what is said, its picture carries it, and a workspace that is named goes before it") {
  const TemporaryFolder folder;
  const auto drawn = [&](const std::string& input, const std::string& output,
                         const std::vector<std::string>& more) {
    std::vector<std::string> all{"render", input,           "--device", "reference",
                                 "-o",     folder / output, "--size",   "900x640"};
    all.insert(all.end(), more.begin(), more.end());
    return run_words(all);
  };
  REQUIRE(
      drawn("eight-heads", "said.png", {"--look", "heads: map mean, large_head 4; kernels: q 1"}).status ==
      kDone);
  REQUIRE(drawn("eight-heads", "plain.png", {"--workspace", "heads"}).status == kDone);
  CHECK_FALSE(read_file(folder / "said.png") == read_file(folder / "plain.png"));
  REQUIRE(drawn(folder / "said.png", "again.png", {}).status == kDone);
  CHECK(read_file(folder / "said.png") == read_file(folder / "again.png"));
  REQUIRE(drawn(folder / "said.png", "other.png", {"--workspace", "softmax"}).status == kDone);
  REQUIRE(drawn("eight-heads", "softmax.png", {"--look", "softmax; heads: map mean"}).status == kDone);
  CHECK(read_file(folder / "other.png") == read_file(folder / "softmax.png"));
  const Outcome refused = drawn("eight-heads", "none.png", {"--look", "heads: mop mean"});
  CHECK(refused.status == kBadWords);
  CHECK(contains(refused.err, "--look: heads: there is no mop"));
  CHECK_FALSE(std::filesystem::exists(folder / "none.png"));
}

TEST_CASE("the next start looks at what was looked at") {
  const ScratchFolder folder;
  const auto store = [&] { return Store(folder / "config", folder / "state"); };
  const char* const words = "softmax: key 2; positions: p 4";
  {
    Headless lab({.document = read_document("eight-heads"), .store = store()});
    lab.app().change(warm(3));
    lab.app().look(words);
  }
  Headless lab({.document = {}, .settings = Settings{}, .opened = start_setup("", store())});
  CHECK(lab.document() == warm(3));
  CHECK(look_of(lab.view(), workspaces()) == words);
}
