// From one document to another by what a lesson sets: the same bits, by names where names say it.
#include <doctest/doctest.h>

#include <limits>

#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/io/session.h"
#include "core/lesson/document_sets.h"
#include "core/lesson/live_numbers.h"
#include "core/system/assets.h"

using namespace attn;

namespace {

Document example(const std::string& name) {
  return parse_session(asset_text(example_files(), "assets/examples", name + ".json"));
}

// The sets, each as a file has it; they lead there.
std::vector<std::string> sets_to(const Document& before, const Document& after) {
  const auto sets = sets_between(before, after, kLayerPlan);
  REQUIRE(sets);
  Document made = before;
  std::vector<std::string> words;
  for (const LessonSet& set : *sets) {
    apply(set, made, kLayerPlan);
    words.push_back(set.name + " = " + set.value);
  }
  CHECK(made == after);
  return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a field that is another is set by its key") {
  const Document before = example("three-tokens");
  Document after = before;
  after.layer().temperature = 0.5;
  CHECK(sets_to(before, after) == Words{"layer.temperature = 0.5"});
  CHECK(sets_to(after, before) == Words{"layer.temperature = null"});
  CHECK(sets_to(before, before).empty());
}

TEST_CASE("a number that is another is set by its cell, given or typed over") {
  const Document before = example("three-tokens");
  Document after = before;
  set_number(after, kLayerPlan, "q", {0, 1, 2}, 0.1f);
  set_number(after, kLayerPlan, "weights", {0, 0, 2}, -0.0f);
  CHECK(sets_to(before, after) == Words{"q[0,1,2] = 0.1", "weights[0,0,2] = -0"});
  CHECK(sets_to(after, before).size() == 2);
  Document special = before;
  set_number(special, kLayerPlan, "scaled", {0, 0, 0}, -std::numeric_limits<float>::infinity());
  set_number(special, kLayerPlan, "scaled", {0, 0, 1}, std::numeric_limits<float>::quiet_NaN());
  set_number(special, kLayerPlan, "scaled", {0, 0, 2}, std::numeric_limits<float>::denorm_min());
  CHECK(sets_to(before, special).size() == 3);
}

TEST_CASE("keys that only go together are set at once") {
  const Document before = example("three-tokens");
  Document after = before;
  after.layer().position = Alibi{};
  Document other = before;
  other.layer().position = Rotary{.base = 100};
  CHECK_FALSE(sets_to(before, after).empty());
  CHECK_FALSE(sets_to(after, other).empty());
  CHECK_FALSE(sets_to(other, after).empty());
}

TEST_CASE("what only a page of numbers could say is not said by sets") {
  CHECK_FALSE(sets_between(example("three-tokens"), example("eight-heads"), kLayerPlan));
}
