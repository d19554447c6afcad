// The study of costs: edits of its shape, what they refuse, presets, and what is counted of it.
#include "core/cost/part.h"

#include <doctest/doctest.h>

#include "core/cost/count.h"
#include "core/cost/plan.h"
#include "core/cost/presets.h"
#include "core/document/document.h"
#include "core/system/error.h"

using namespace attn;

TEST_CASE("every preset is known by its shape and counts as it was published") {
  for (const Preset& preset : presets()) {
    CostStudy study;
    take_preset(study, preset);
    INFO(preset.title);
    REQUIRE(preset_of(study));
    CHECK(preset_of(study)->word == preset.word);
    CostSpec expected = preset.shape;
    expected.n = study.n, expected.batch = study.batch, expected.format = study.format;
    expected.feed_forward = expected.inner_width();
    CHECK(spec_of(study, MechanismKind::full) == expected);
    study.heads = study.kv_heads = 1;
    CHECK_FALSE(preset_of(study));
  }
}

TEST_CASE("a shape that cannot be is refused and nothing changes") {
  CostStudy study;
  const CostStudy before = study;
  CHECK_THROWS_AS(set_heads(study, 7), Error);
  CHECK_THROWS_AS(set_kv_heads(study, 5), Error);
  CHECK_THROWS_AS(set_width(study, 770), Error);
  CHECK_THROWS_AS(set_width(study, 0), Error);
  CHECK(study == before);
}

TEST_CASE("heads keep as many key and value heads for each as they had") {
  CostStudy study;
  take_preset(study, *find_preset("llama3-8b"));  // 32 heads share 8
  set_heads(study, 64);
  CHECK(study.kv_heads == 16);
  set_heads(study, 2);
  CHECK(study.kv_heads == 2);
}

TEST_CASE("the feed-forward follows the width until it is typed") {
  CostStudy study;
  set_width(study, 1536);
  CHECK(spec_of(study, MechanismKind::full).inner_width() == 6144);
  set_feed_forward(study, 5000);
  set_width(study, 768);
  CHECK(spec_of(study, MechanismKind::full).inner_width() == 5000);
  set_feed_forward(study, 3072);
  CHECK(study.feed_forward == 0);
}

TEST_CASE("each mechanism is counted with its own reach") {
  CostStudy study;
  study.window = 32, study.stride = 7;
  CHECK(word_of(spec_of(study, MechanismKind::window).mechanism) == "window:32");
  CHECK(word_of(spec_of(study, MechanismKind::strided).mechanism) == "strided:7");
  CHECK(word_of(spec_of(study, MechanismKind::full).mechanism) == "full");
}

TEST_CASE("the plan of the costs has steps and no stages and refuses what cannot be") {
  Document document;
  const Graph graph = build_cost(document).graph;
  CHECK(graph.stages.empty());
  CHECK(graph.steps.size() == 3);
  document.cost.heads = 7;
  CHECK_THROWS_AS(build_cost(document), Error);
}
