// The diagnosis of a check by its gestures: what is found is named, a row shows the differences as they would
// be with its mistake, a click keeps it; the fix, the report and the layer B.
#include <cmath>

#include "app/workspaces/compare/check_shown.h"
#include "core/compare/edit.h"
#include "tests/app/check_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

LayerSpec split_by_memory(LayerSpec layer) {
  layer.head_split = HeadCut::memory;
  return layer;
}

LayerSpec scaled_by_width(LayerSpec layer) {
  layer.scale = {ScaleMode::number, 0.25};  // d_k is 4
  return layer;
}

LayerSpec sees_ahead(LayerSpec layer) {
  layer.masks = {{CausalRule{.ahead = 1}}, {PaddingRule{{4}}}};
  return layer;
}

class DiagnosisLab : public CheckLab {
 public:
  // So tall that all of the inspector is in sight.
  explicit DiagnosisLab(Document document) : CheckLab(std::move(document), {1600, 2000}) { wait(); }
  explicit DiagnosisLab(const LayerSpec& theirs) : DiagnosisLab(checked(checked_layer(), theirs)) {}
  // Until the search and what is computed of the shown set are done.
  void wait() {
    for (int i = 0; i < 4; ++i) settle(), frames(2);
  }
  void press(const std::string& id) {
    click_item(id);
    wait();
  }
  void point_at(const std::string& id) {
    const auto box = item(id);
    INFO(id);
    REQUIRE(box);
    move(centre(*box));
    wait();
  }
  void point_away() {
    move({5, 5});
    wait();
  }
  const std::vector<std::string>& kept() const { return document().check.kept; }
};

// What no mistake explains: every number a thousandth off, more or less.
Document noisy() {
  Document document = checked(checked_layer(), checked_layer());
  std::vector<GivenStage> stages = given_stages(document.check);
  Random random(1);
  for (GivenStage& stage : stages) {
    const Tensor noise = normal(random, stage.numbers.shape(), 1e-3f);
    std::vector<float> values(stage.numbers.values().begin(), stage.numbers.values().end());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= 1 + noise.values()[i];
    stage.numbers = {stage.numbers.shape(), std::move(values)};
  }
  set_given_stages(document.check, stages);
  return document;
}

// What was projected is right, and was written before heads were cut wrong.
Document written_before_the_cut() {
  Document document = checked(checked_layer(), split_by_memory(checked_layer()));
  std::vector<GivenStage> stages = given_stages(document.check);
  for (const GivenStage& whole : given_stages(checked(checked_layer(), checked_layer()).check))
    for (GivenStage& stage : stages)
      if (stage.id == whole.id && (stage.id == "q" || stage.id == "k" || stage.id == "v")) stage = whole;
  set_given_stages(document.check, stages);
  return document;
}

std::string title_of_mistake(const char* word) {
  const Mistake* mistake = find_mistake(word);
  REQUIRE(mistake);
  return std::string(mistake->title);
}

std::string beginning_of(const char* word) {
  const Mistake* mistake = find_mistake(word);
  REQUIRE(mistake);
  return std::string(mistake->sentence).substr(0, 16);
}

}  // namespace

TEST_CASE("The mistake that reproduces the numbers is named, and stands in the list") {
  DiagnosisLab lab(split_by_memory(checked_layer()));
  CHECK(lab.find_text(title_of_mistake("heads-split-by-reshape")));
  CHECK(lab.find_text("this reproduces your numbers"));
  CHECK(lab.find_text("nothing changed"));
  CHECK(lab.item("heads-split-by-reshape"));
  CHECK(lab.shows("not in this layer: "));
}

TEST_CASE("What was written before heads were cut wrong is equal with that mistake too") {
  DiagnosisLab lab(written_before_the_cut());
  CHECK(lab.find_text("this reproduces your numbers"));
  CHECK(lab.shows("first difference"));
  lab.point_at("heads-split-by-reshape");
  const auto rows = [&](const char* beginning) {
    return std::ranges::count_if(lab.texts(),
                                 [&](const DrawnText& t) { return t.text.starts_with(beginning); });
  };
  CHECK(rows("with it") == 7);
  CHECK(rows("with it equal") == 7);
  // The legend names every head, where words leave it little room by number alone.
  CHECK(lab.find_text("head 0"));
  for (const char* head : {"1", "2", "3"})
    CHECK((lab.find_text(head) || lab.find_text("head " + std::string(head))));
}

TEST_CASE("Equal numbers have nothing to mend") {
  DiagnosisLab lab(checked_layer());
  CHECK(lab.find_text("equal, nothing to mend"));
  CHECK_FALSE(lab.shows("this reproduces"));
  CHECK_FALSE(lab.item("copy the fix"));
}

TEST_CASE("Several sets that reproduce the numbers alike are all named") {
  DiagnosisLab lab(scaled_by_width(checked_layer()));  // 1/4 is 1/√4 twice as well
  CHECK(lab.shows("sets reproduce them alike"));
  CHECK(lab.shows(title_of_mistake("scale-by-d_k")));
  CHECK(lab.shows(title_of_mistake("scale-twice")));
}

TEST_CASE("Two mistakes are found together, and what mending one of them leaves is told") {
  DiagnosisLab lab(scaled_by_width(split_by_memory(checked_layer())));
  CHECK(lab.shows(title_of_mistake("heads-split-by-reshape")));
  CHECK(lab.find_text("With both mistakes in ours"));
  CHECK(lab.find_text("next best pair"));
  // Mending the split leaves the scale: its output, computed here, against ours.
  const Tensor ours = evaluated({.layers = {checked_layer()}}).output("output"),
               yours = evaluated({.layers = {scaled_by_width(checked_layer())}}).output("output");
  double largest = 0;
  for (std::size_t i = 0; i < ours.values().size(); ++i)
    largest = std::max(
        largest, std::abs(static_cast<double>(yours.values()[i]) - static_cast<double>(ours.values()[i])));
  const auto box = lab.find_text("only " + title_of_mistake("heads-split-by-reshape"));
  REQUIRE(box);
  const std::string line = lab.text_in({{box->min.x, box->min.y - 2}, {1600, box->max.y + 24}});
  INFO(line << " against " << largest);
  CHECK(line.find(error_text(largest)) != std::string::npos);
}

TEST_CASE("Of noise no set is called the next best, since none comes nearer than nothing does") {
  DiagnosisLab lab(noisy());
  CHECK(lab.find_text("half precision or noise"));
  CHECK(lab.find_text("nothing changed"));
  CHECK_FALSE(lab.shows("next best"));
}

TEST_CASE("The pointer over a mistake shows it in place of the found one, a click keeps it and lets it go") {
  DiagnosisLab lab(split_by_memory(checked_layer()));
  CHECK(lab.shows(beginning_of("heads-split-by-reshape")));
  const std::string other = beginning_of("causal-hides-itself");
  lab.point_at("causal-hides-itself");
  CHECK(lab.shows("who is hidden from whom"));
  CHECK(lab.kept().empty());
  lab.point_away();
  CHECK_FALSE(lab.shows(other));
  CHECK(lab.shows("which numbers of q each head reads"));
  lab.press("causal-hides-itself");
  lab.point_away();
  CHECK(lab.kept() == std::vector<std::string>{"causal-hides-itself"});
  CHECK(lab.shows(other));
  lab.press("causal-hides-itself");
  CHECK(lab.kept().empty());
  lab.undo();
  CHECK(lab.kept() == std::vector<std::string>{"causal-hides-itself"});
}

TEST_CASE("The fix goes to the clipboard as a diff of PyTorch") {
  DiagnosisLab lab(split_by_memory(checked_layer()));
  lab.press("copy the fix");
  const Mistake& mistake = *find_mistake("heads-split-by-reshape");
  CHECK(lab.clipboard == "- " + std::string(mistake.wrong) + "\n+ " + std::string(mistake.right) + "\n");
}

TEST_CASE("The report says verdict, stages, mistake and fix") {
  DiagnosisLab lab(split_by_memory(checked_layer()));
  lab.press("report");
  INFO(lab.clipboard);
  for (const char* part : {"# Check of dump.npz", "| scaled |", "```diff\n- "})
    CHECK(lab.clipboard.find(part) != std::string::npos);
  CHECK(lab.clipboard.find("Reproduced by: " + title_of_mistake("heads-split-by-reshape")) !=
        std::string::npos);
}

TEST_CASE("Ours with the mistake becomes B, in one step") {
  DiagnosisLab lab(split_by_memory(checked_layer()));
  const Document before = lab.document();
  lab.press("as B");
  CHECK_FALSE(lab.document().check.on);
  REQUIRE(lab.document().has(kLayerB));
  CHECK(lab.document().layer(kLayerB) == split_by_memory(checked_layer()));
  CHECK(lab.steps() == 1);
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("Heads that are cut by memory hold the numbers that a view of them holds") {
  // Five tokens, four heads of four: as drawn, head 0 of “cat” holds “the” 4…7.
  const HeadShape shape{.heads = 4, .rows = 5, .width = 4};
  const HeadPlace place = place_of_head_row(HeadCut::memory, shape, 0, 1);
  CHECK(place.row == 0);
  CHECK(place.column == 4);
  CHECK(place_of_head_row(HeadCut::columns, shape, 2, 3).column == 8);
  // Number i of memory is number i of h×n×d, whose head is i ÷ (n·d).
  for (std::size_t i = 0; i < 80; ++i) CHECK(head_of(HeadCut::memory, shape, i / 16, i % 16) == i / 20);
}

TEST_CASE("A scale is seen as the slope of yours against ours") {
  DiagnosisLab lab(scaled_by_width(checked_layer()));
  CHECK(lab.shows("yours is 0.500 of ours"));  // ÷ 4 in place of ÷ √4
}

TEST_CASE("The picture of a mask counts what either hides") {
  DiagnosisLab lab(sees_ahead(checked_layer()));
  // Of 25 pairs the causal mask hides 10, the padding of the last key one more; a key further is seen by 4
  // rows, the padded one by none.
  CHECK(lab.shows("yours hides 8 of 25 pairs, ours 11"));
}
