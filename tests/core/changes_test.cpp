// What changed between two results: counts, cells, the largest of all stages, and other shapes.
#include "core/checks/changes.h"
#include "tests/special.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::tests;

namespace {

void add(Results& results, const std::string& id, Shape shape, std::vector<float> values) {
  const Tensor tensor(shape, std::move(values));
  results.outputs.emplace_back(tensor);
  results.graph.add({.id = id, .title = id, .formula = {}, .operation = Source{tensor}});
}

}  // namespace

TEST_CASE("changed numbers are counted and the largest change of all stages has its cell") {
  Results before, now;
  add(before, "a", {1, 2, 3}, {1, 2, 3, 4, 5, 6});
  add(before, "b", {2, 1, 2}, {1, 2, 3, 4});
  add(now, "b", {2, 1, 2}, {1, 2, 3.5f, 1.5f});
  add(now, "a", {1, 2, 3}, {1.25f, 2, 3.25f, 4, 5, 6});
  const Changes found = changes(before, now);
  CHECK(found.count == 4);
  REQUIRE(found.stages.size() == 2);
  CHECK(found.of(0)->count == 2);
  CHECK(found.of(0)->largest == 2.5);
  CHECK(found.of(0)->at == Cell{1, 0, 1});
  CHECK(found.of(0)->runs == std::vector<ChangedRun>{{1, 0, 0, 2}});
  CHECK(found.of(1)->at == Cell{0, 0, 0});  // the first of two that are as large
  CHECK(found.of(1)->runs == std::vector<ChangedRun>{{0, 0, 0, 1}, {0, 0, 2, 3}});
  REQUIRE(found.largest());
  CHECK(found.largest()->stage == 0);
  CHECK(found.largest()->before == 4);
  CHECK(found.largest()->now == 1.5f);
}

TEST_CASE("equal numbers are unchanged whatever they are and one that is no number any more is") {
  Results before, now;
  add(before, "a", {1, 1, 5}, {0, kFloatNan, kFloatInfinity, -kFloatInfinity, 7});
  add(now, "a", {1, 1, 5}, {-0.0f, kFloatNan, kFloatInfinity, -kFloatInfinity, 7});
  CHECK(changes(before, now).stages.empty());
  CHECK(changes(before, now).largest() == nullptr);
  add(before, "b", {1, 1, 2}, {1, 2});
  add(now, "b", {1, 1, 2}, {1, kFloatNan});
  const Changes found = changes(before, now);
  CHECK(found.count == 1);
  CHECK(std::isinf(found.largest()->largest));
  CHECK(found.largest()->at == Cell{0, 0, 1});
}

TEST_CASE("a stage of another shape or one that was not there says so and counts nothing") {
  Results before, now;
  add(before, "a", {1, 1, 2}, {1, 2});
  add(now, "a", {1, 2, 1}, {3, 4});
  add(now, "b", {1, 1, 1}, {3});
  const Changes found = changes(before, now);
  CHECK(found.count == 0);
  CHECK(found.of(0)->shape == Shape{1, 1, 2});
  CHECK_FALSE(found.of(0)->fresh);
  CHECK(found.of(1)->fresh);
  CHECK(found.largest() == nullptr);
}

TEST_CASE("runs of changed numbers are apart in short rows and near ones are one in long rows") {
  const auto runs_of = [](std::size_t columns, const std::vector<std::size_t>& changed) {
    std::vector<float> then(columns, 1), numbers = then;
    for (const std::size_t column : changed) numbers[column] = 2;
    Results before, now;
    add(before, "a", {1, 1, columns}, then);
    add(now, "a", {1, 1, columns}, numbers);
    return changes(before, now).of(0)->runs;
  };
  using Runs = std::vector<ChangedRun>;
  CHECK(runs_of(8, {1, 2, 4}) == Runs{{0, 0, 1, 3}, {0, 0, 4, 5}});
  CHECK(runs_of(1024, {10, 15, 20, 26}) == Runs{{0, 0, 10, 21}, {0, 0, 26, 27}});  // gaps of 4, 4 and 5
}
