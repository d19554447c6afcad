// A file checked as a person does: rows, verdicts, heads, names, keys, following, undo.
#include <cmath>
#include <filesystem>

#include "core/compare/edit.h"
#include "tests/app/check_lab.h"
#include "tests/app/controls_lab.h"
#include "tests/app/scratch_folder.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Arrays of a dump, as a file has them: X, projections, and the weights of `theirs`.
void write_dump(const std::string& path, const LayerSpec& theirs) {
  const Results results = evaluated({.layers = {theirs}});
  std::vector<std::pair<std::string, std::vector<std::byte>>> members;
  const auto add = [&](const char* name, const Tensor& tensor) {
    std::vector<std::size_t> shape{tensor.rows(), tensor.columns()};
    if (tensor.stack() > 1) shape.insert(shape.begin(), tensor.stack());
    members.emplace_back(name, write_npy(shape, tensor.values()));
  };
  add("x", theirs.x);
  add("w_q", theirs.w_q), add("w_k", theirs.w_k), add("w_v", theirs.w_v), add("w_o", theirs.w_o);
  add("weights", results.output("weights"));
  write_file(path, write_npz(members));
}

// A number of yours is another by `by`.
void alter(Document& document, const std::string& id, Cell cell, float by) {
  std::vector<GivenStage> stages = given_stages(document.check);
  for (GivenStage& stage : stages) {
    if (stage.id != id) continue;
    std::vector<float> values(stage.numbers.values().begin(), stage.numbers.values().end());
    values[index_of(stage.numbers.shape(), cell)] += by;
    stage.numbers = {stage.numbers.shape(), std::move(values)};
  }
  set_given_stages(document.check, stages);
}

// Frames until what was read is in the document, or an error is said.
void wait_for_reading(CheckLab& lab) {
  for (int i = 0; i < 2000 && lab.view().of<CompareView>().reading; ++i) lab.frame(), lab.settle();
  lab.settle();
  lab.frames(3);
}

}  // namespace

TEST_CASE("a check says stage by stage what is equal and where numbers first differ") {
  CheckLab lab;
  CHECK(lab.shows("yours"));
  CHECK(lab.shows("yours − ours"));
  CHECK(lab.shows("equal ✓"));
  CHECK(lab.shows("first difference"));
  CHECK(lab.shows("same cells masked ✓"));
  CHECK(lab.shows("follows"));
  CHECK(lab.shows("exit 1"));
}

TEST_CASE("what is equal differs nowhere and the terminal's exit code is 0") {
  CheckLab lab(checked(checked_layer(), checked_layer()));
  CHECK_FALSE(lab.shows("first difference"));
  CHECK_FALSE(lab.shows("follows"));
  CHECK(lab.shows("exit 0"));
}

TEST_CASE("a click opens an equal stage and another folds it again") {
  CheckLab lab;
  lab.press("open q");
  CHECK(lab.item("close q"));
  CHECK(lab.view().of<CompareView>().open.at("q"));
  lab.press("close q");
  CHECK(lab.item("open q"));
}

TEST_CASE("a file shows the head in which it differs first, brackets choose another") {
  CheckLab lab;
  const std::size_t first = lab.view().layer.head;
  CHECK(lab.shows("in head " + std::to_string(first)));
  lab.type("]");
  lab.frames(2);
  CHECK(lab.view().layer.head == (first + 1) % 4);
  CHECK(lab.shows("head " + std::to_string((first + 1) % 4) + " of 0…3"));
  lab.type("[");
  lab.type("[");
  lab.frames(2);
  CHECK(lab.view().layer.head == (first + 3) % 4);
}

TEST_CASE("the head shown follows the first difference until brackets choose another") {
  Document document = checked(checked_layer(), checked_layer());
  alter(document, "q", {3, 0, 0}, 0.01f);
  alter(document, "scaled", {1, 2, 0}, 1);
  alter(document, "output", {0, 1, 0}, 100);
  CheckLab lab(document);
  CHECK(lab.view().layer.head == 3);
  enter(lab, "##check.absolute", "0.1");
  lab.frames(2);
  CHECK(lab.view().layer.head == 1);
  CHECK(lab.shows("in head 1"));
  enter(lab, "##check.absolute", "10");  // the first difference is in no head
  lab.frames(2);
  CHECK(lab.view().layer.head == 1);
  lab.type("]");
  enter(lab, "##check.absolute", "1e-6");
  lab.frames(2);
  CHECK(lab.view().layer.head == 2);
}

TEST_CASE("another file shows the head of its own first difference unless a person chose one") {
  Document first = checked(checked_layer(), checked_layer()),
           second = checked(checked_layer(), checked_layer(), "other.npz");
  alter(first, "q", {3, 0, 0}, 1);
  alter(second, "q", {1, 0, 0}, 1);
  CheckLab lab(first);
  const auto open = [&](const Document& document) {
    lab.app().change(document);
    lab.settle();
    lab.frames(2);
  };
  CHECK(lab.view().layer.head == 3);
  open(second);
  CHECK(lab.view().layer.head == 1);
  lab.type("]");
  open(first);
  CHECK(lab.view().layer.head == 2);
}

TEST_CASE("without a file the canvas says what to open and nothing is searched for") {
  Document document = checked(checked_layer(), checked_layer());
  set_given_stages(document.check, {});
  CheckLab lab(document);
  CHECK(lab.shows("No numbers of yours yet"));
  CHECK_FALSE(lab.shows("searching …"));
}

TEST_CASE("F pins one number after the other that differs and each is beyond the tolerance") {
  CheckLab lab;
  lab.press_key(GLFW_KEY_F);
  REQUIRE(lab.view().pinned);
  const Spot first = *lab.view().pinned;
  CHECK(first.stage == "scaled");
  const auto off = [&](const Spot& spot) {
    const auto results = lab.results();
    return std::abs(results->output("yours." + spot.stage)[spot.cell] -
                    results->output(spot.stage)[spot.cell]);
  };
  CHECK(off(first) > 1e-5f);
  lab.press_key(GLFW_KEY_F);
  CHECK_FALSE(*lab.view().pinned == first);
  CHECK(off(*lab.view().pinned) > 1e-5f);
}

TEST_CASE("yours becomes B with its numbers and undo brings the check back") {
  CheckLab lab;
  const Document before = lab.document();
  lab.press("check.as_b");
  CHECK_FALSE(lab.document().check.on);
  REQUIRE(lab.document().has(kLayerB));
  const auto results = lab.results();
  CHECK(results->output("b.weights").values()[0] == before.check.weights.values()[0]);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("chips turn from a file to A with B and back") {
  CheckLab lab;
  lab.press("check.off");
  CHECK_FALSE(lab.document().check.on);
  CHECK(lab.item("compare.swap"));
  lab.press("check.on");
  CHECK(lab.document().check.on);
  CHECK(lab.shows("first difference"));
}

TEST_CASE("tolerance, tries and the layer it should be are controls") {
  CheckLab lab;
  enter(lab, "##check.absolute", "1000");
  CHECK(lab.document().check.absolute == 1000);
  lab.frames(2);
  CHECK_FALSE(lab.shows("first difference"));
  lab.press("check.pairs");
  CHECK_FALSE(lab.document().check.pairs);
  lab.press("check.causal");
  CHECK(lab.document().layer().masks.size() == 1);
  CHECK(lab.shows("other cells masked"));
}

TEST_CASE("the line of the terminal is copied with the choices of the layer") {
  CheckLab lab;
  lab.press("check.line");
  CHECK(lab.clipboard ==
        "attention-lab check dump.npz --heads 4 --kv-heads 2 --mask causal --mask padding:4");
}

TEST_CASE("a file is read by its path and again when it changes, with pin and choices kept") {
  ScratchFolder folder;
  const std::string file = folder / "dump.npz";
  LayerSpec ours = checked_layer();
  ours.tokens.clear();
  write_dump(file, unscaled(ours));
  Document document = checked(ours, ours, file);
  document.check.names.clear();
  CheckLab lab(document);
  read_check_file(lab.view(), file);
  wait_for_reading(lab);
  CHECK(lab.document().check.names.size() == 6);
  CHECK(lab.document().layer().heads == 4);  // the file does not say it
  CHECK(lab.shows("first difference"));
  lab.view().pinned = Spot{"weights", {1, 2, 0}};
  lab.press("check.follow");
  wait_for_reading(lab);
  write_dump(file, ours);
  for (int i = 0; i < 5000 && !lab.shows("exit 0"); ++i) lab.frame();
  CHECK(lab.shows("exit 0"));
  CHECK(lab.view().pinned == Spot{"weights", {1, 2, 0}});
  std::filesystem::remove(file);
  for (int i = 0; i < 5000 && lab.view().of<CompareView>().follow; ++i) lab.frame();
  CHECK_FALSE(lab.view().of<CompareView>().follow);
  CHECK(lab.shows("is gone"));
}

TEST_CASE("words of a check fit their places at every size") {
  for (const auto& [size, scale] :
       {std::pair{ImVec2{1024, 640}, 1.0f}, {{1600, 1000}, 1.0f}, {{3200, 2000}, 2.0f}}) {
    CheckLab lab(checked(checked_layer(), unscaled(checked_layer())), size, scale);
    CAPTURE(size.x);
    check_words_fit(lab, size, scale);
  }
}
