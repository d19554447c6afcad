// The controls of a compared layer: all of them are of that layer.
#include <doctest/doctest.h>

#include "core/compare/edit.h"
#include "tests/app/compare_lab.h"
#include "tests/app/controls_lab.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("every control of the compared layer leaves A as it is") {
  for (const bool there : {false, true}) {
    CompareLab lab;
    if (there) lab.make_equal();
    const Document before = lab.document();
    choose(lab, "scoring", "cosine");
    lab.settle();
    CHECK(lab.document().layer() == before.layer());
    REQUIRE(lab.document().layers.size() == 2);
    CHECK(lab.document().layer(kLayerB).scoring == Scoring::cosine);
    choose(lab, "scoring", "additive");
    lab.settle();
    lab.click_item("##score_hidden");
    lab.enter("3");
    CHECK(lab.document().layer(kLayerB).score_v.columns() == 3);
    choose(lab, "local", "monotonic");
    lab.settle();
    CHECK(lab.document().layer(kLayerB).local == Local::monotonic);
    choose(lab, "source", "direct");
    lab.settle();
    CHECK(lab.document().layer(kLayerB).direct);
    CHECK(lab.document().layer() == before.layer());
  }
}

TEST_CASE("Q K and V of a layer that is still A can be given") {
  CompareLab lab;
  const Document before = lab.document();
  choose(lab, "source", "direct");
  lab.settle();
  CHECK(lab.document().layer() == before.layer());
  REQUIRE(lab.document().layers.size() == 2);
  CHECK(lab.document().layer(kLayerB).q == lab.results()->output("q"));
}

TEST_CASE("what is typed over a layer goes with its cells when a command replaces the layer") {
  Headless lab({.document = read_document("the-cat-sat-on-mat")});
  Document document = lab.document();
  document.overrides = {typed("scores", {0, 4, 4}, 1)};
  lab.app().change(document);
  CHECK(lab.document().overrides.size() == 1);
  document.layer() = read_document("three-tokens").layer();
  lab.app().change(document);
  CHECK(lab.document().overrides.empty());
}
