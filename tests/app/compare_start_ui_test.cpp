// The workspace that compares as it opens: on a difference, with what is equal folded to lines.
#include "core/document/edit.h"
#include "core/edits/edit.h"
#include "tests/app/compare_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// As a person finds it: equal stages are lines.
class FoldedLab : public CompareLab {
 public:
  explicit FoldedLab(const char* name = "the-cat-sat-on-mat", ImVec2 size = {1600, 1000})
      : CompareLab(read_document(name), size) {
    view().of<CompareView>().equal_stages = false;
    frames(3);
  }
};

}  // namespace

TEST_CASE("Compare opens on a difference and looking changes nothing of the document") {
  for (const char* name : {"the-cat-sat-on-mat", "the-cat-sat-on-mat-causal", "three-tokens", "eight-heads",
                           "cross-attention"}) {
    CAPTURE(name);
    FoldedLab lab(name);
    CHECK(lab.document() == read_document(name));
    CHECK_FALSE(lab.app().history().can_undo());
    CHECK(lab.figures().first);
    CHECK(lab.shows("first difference: "));
  }
}

TEST_CASE("A causal layer is compared with itself without a mask and a single query at another temperature") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  CHECK(default_compared_layer(document.layer()).masks.empty());
  document.layer().masks.clear();
  CHECK(find_rule<CausalRule>(default_compared_layer(document.layer())));
  const LayerSpec single = read_document("cross-attention").layer();
  LayerSpec one = single;
  one.x = Tensor({1, 1, single.x.columns()}, std::vector<float>(single.x.columns(), 1));
  one.tokens = {};
  CHECK(default_compared_layer(one).temperature == 3);
}

TEST_CASE("Each side says its own value of what differs, of several the first") {
  FoldedLab lab;
  CHECK(lab.find_text("no mask"));
  CHECK(lab.find_text("causal mask, lower-right"));
  lab.press("differ temperature-3");
  CHECK(lab.shows("+ 1"));
}

TEST_CASE("Equal stages are lines that a click opens and folds again, and a chip opens them all") {
  FoldedLab lab;
  CHECK(lab.find_text("equal"));
  CHECK_FALSE(lab.item("q/cells"));
  CHECK(lab.item("b.masked/cells"));
  CHECK(lab.item("b.weights/cells"));
  lab.press("open q");
  CHECK(lab.item("q/cells"));
  lab.press("close q");
  CHECK_FALSE(lab.item("q/cells"));
  lab.press("equal stages");
  CHECK(lab.item("x/cells"));
}

TEST_CASE("The first stage that differs is the largest and its cells are square") {
  FoldedLab lab;
  const Rect first = *lab.item("b.masked/cells"), next = *lab.item("b.weights/cells");
  CHECK(first.width() == first.height());
  CHECK(next.width() == next.height());
  CHECK(first.width() > next.width());
  CHECK(lab.shows("first difference: 10 of 25 cells become −∞"));
  CHECK(lab.shows("follows: largest 1.0000, 4 of 5 rows change"));
}

TEST_CASE("Where there is little room one stage stands alone") {
  FoldedLab lab("the-cat-sat-on-mat", {1024, 480});
  CHECK(lab.item("b.masked/cells"));
  CHECK_FALSE(lab.item("open q"));
  CHECK_FALSE(lab.item("b.weights/cells"));
}

TEST_CASE("A number that is not 0 reads as one in all three, and what is masked says its own") {
  FoldedLab lab;
  const auto reads = [&](const char* stage) { return lab.text_in(*lab.item(std::string(stage) + "/cells")); };
  for (const char* stage : {"weights", "b.weights", "diff.weights"}) {
    CAPTURE(stage);
    CHECK(reads(stage).find("0.00") == std::string::npos);
    CHECK(reads(stage).find("e-") != std::string::npos);
  }
  CHECK(reads("b.masked").find("−∞") != std::string::npos);
  CHECK(reads("diff.masked").find("−∞") != std::string::npos);
  CHECK(lab.results()->output("diff.masked")[{0, 0, 1}] < -1e30f);
}

TEST_CASE("What only a mask makes infinite is no fault") {
  for (const char* name : {"the-cat-sat-on-mat", "the-cat-sat-on-mat-causal"}) {
    FoldedLab lab(name);
    CHECK_FALSE(lab.shows("NaN, ∞:"));
  }
}

TEST_CASE("Chips add and take back differences, several at once, each a step of undo") {
  FoldedLab lab;
  const Document before = lab.document();
  lab.press("differ scale-off");
  CHECK(find_rule<CausalRule>(lab.document().layer(kLayerB)));
  CHECK(lab.document().layer(kLayerB).scale.mode == ScaleMode::none);
  lab.press("differ causal");
  CHECK_FALSE(find_rule<CausalRule>(lab.document().layer(kLayerB)));
  lab.press("differ reference");
  CHECK(is_by_reference(lab.document().compare, kLayerB));
  lab.press("differs 1");
  CHECK_FALSE(is_by_reference(lab.document().compare, kLayerB));
  lab.press("differs 0");
  CHECK(lab.document().layer(kLayerB) == lab.document().layer());
  CHECK(lab.shows("one head less: A has only one"));
  for (int i = 0; i < 5; ++i) lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("the ready comparison with the reference runs B there and with float16 rounds B") {
  CompareLab lab;
  const auto run = [&](const char* command) {
    lab.run(command);
    lab.settle();
    lab.frames(2);
  };
  run("compare.reference");
  CHECK(lab.document().compare.by_reference == std::vector<std::size_t>{0});
  const StageIndex weights = *lab.results()->graph.find("b.weights");
  CHECK(lab.results()->graph.stages[weights].by_reference);
  run("compare.float16");
  CHECK(lab.document().compare.by_reference.empty());
  CHECK(lab.document().layer(kLayerB).precision == NumberFormat::float16);
  CHECK(lab.document().layer().precision == NumberFormat::float32);
  CHECK(lab.figures().first);
}

TEST_CASE("F goes from difference to difference") {
  FoldedLab lab;
  std::vector<std::string> stages;
  for (int i = 0; i < 4; ++i) {
    lab.press_key(GLFW_KEY_F);
    REQUIRE(lab.view().pinned);
    stages.push_back(lab.view().pinned->stage);
  }
  CHECK(stages[0] == "b.masked");
  CHECK(stages[1] == "weights");
  CHECK(stages[3] == "b.masked");
}

TEST_CASE("The inspector sums up, and a bar leads to its row") {
  FoldedLab lab("the-cat-sat-on-mat", {1600, 1600});
  CHECK(lab.shows("hides"));
  CHECK(lab.shows("101 %"));
  CHECK(lab.shows("Where they part"));
  CHECK(lab.shows("largest change"));
  const CompareFigures figures = lab.figures();
  CHECK(figures.moved[0] == doctest::Approx(1).epsilon(1e-4));
  CHECK(figures.moved[4] == 0);
  CHECK(figures.counts[*figures.weights].changed_rows == 4);
  lab.press("moved 1");
  REQUIRE(lab.view().pinned);
  CHECK(*lab.view().pinned == Spot{"weights", {0, 1, 0}});
}

TEST_CASE("Of many rows and keys those that move most come first, and the others when they are asked for") {
  Document document = read_document("the-cat-sat-on-mat");
  set_token_count(document, 20);
  CompareLab lab(document, {1600, 4000});
  const auto rows = [&] {
    std::vector<std::size_t> listed;
    for (const Item& item : lab.items())
      if (const auto at = item.path.find("/moved "); at != std::string::npos)
        listed.push_back(std::stoul(item.path.substr(at + 7)));
    return listed;
  };
  const CompareFigures figures = lab.figures();
  const auto check_order = [&](const std::vector<std::size_t>& listed) {
    for (std::size_t i = 1; i < listed.size(); ++i)
      CHECK(figures.moved[listed[i - 1]] >= figures.moved[listed[i]]);
  };
  CHECK(rows().size() == 12);
  CHECK(lab.find_text("▸ 8 more"));
  lab.press("more rows");
  CHECK(rows().size() == 20);
  check_order(rows());
  lab.press("more rows");
  CHECK(rows().size() == 12);
  lab.view().pinned = Spot{"weights", {0, 7, 0}};
  lab.frames(3);
  CHECK(lab.item("more keys"));
  const std::size_t folded = lab.texts().size();
  lab.press("more keys");
  CHECK(lab.texts().size() > folded + 8);
}

TEST_CASE("Of many heads a chooser has the one that differs most first") {
  FoldedLab lab("eight-heads");
  const std::vector<double> largest = lab.figures().head_largest;
  REQUIRE(largest.size() == 8);
  const std::size_t most = static_cast<std::size_t>(std::ranges::max_element(largest) - largest.begin());
  const Rect first = *lab.item("compare.head " + std::to_string(most));
  for (std::size_t head = 0; head < 8; ++head)
    if (const auto chip = lab.item("compare.head " + std::to_string(head))) CHECK(first.min.x <= chip->min.x);
  lab.press("compare.head 5");
  CHECK(lab.view().layer.head == 5);
}
