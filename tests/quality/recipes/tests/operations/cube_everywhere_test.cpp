// What everybody else makes of an operation that was added in its family alone.
#include <doctest/doctest.h>

#include "core/checks/checks.h"
#include "core/checks/comparison.h"
#include "core/evaluate/evaluator.h"
#include "core/gradient/gradients.h"
#include "core/graph/rounding.h"
#include "core/reference/backend.h"

using namespace attn;

namespace {

struct Cubed {
  Budget budget = Budget();
  std::unique_ptr<Backend> backend = make_reference_backend();
  Evaluator evaluator{*backend, budget};
  Graph graph = {};
  StageIndex x, y;

  explicit Cubed(std::vector<float> numbers, NumberFormat format = NumberFormat::float32) {
    const std::size_t count = numbers.size();
    graph.add_step({.title = "cubes", .says = "each number three times itself"});
    x = graph.add({.id = "x",
                   .title = "X",
                   .formula = "given",
                   .operation = Source{Tensor({1, 1, count}, std::move(numbers))}});
    y = add_rounded(graph, {.id = "y", .title = "Y", .formula = "x³", .operation = Cube{}, .inputs = {x}},
                    format);
  }
  Results results() { return evaluator.evaluate({}, Built(graph)); }
};

}  // namespace

TEST_CASE("its numbers are opened into their arithmetic and linked") {
  Cubed cubed({2, -3});
  const Results results = cubed.results();
  CHECK(results.outputs[cubed.y][{0, 0, 1}] == -27);
  const Explanation opened = explain(results, cubed.y, {0, 0, 1});
  CHECK(opened.result == -27);
  REQUIRE(opened.terms.size() == 1);
  CHECK(opened.terms[0].operands.size() == 3);
  const std::vector<Shape> shapes{results.outputs[cubed.x].shape()};
  CHECK(reach(cubed.graph.stages[cubed.y].operation, shapes, 0, {0, 0, 1}).size() == 1);
}

TEST_CASE("checks see where it overflows") {
  const Checks checks = check(Cubed({2, 1e20f}).results());
  REQUIRE(checks.faults.size() == 1);
  CHECK(checks.faults[0].infinite == 1);
  CHECK(checks.faults[0].first == Cell{0, 0, 1});
}

TEST_CASE("its work is counted") {
  const Cubed cubed({1, 2, 3});
  CHECK(operation_count(cubed.graph, cubed.y) == 6);
  CHECK(cubed.graph.stages[cubed.y].traits.counted == 6);
}

TEST_CASE("a device's numbers of it are compared") {
  Results results = Cubed({2, -3}).results();
  results.device = "a device";
  CHECK(compare_with_reference(results)->accepted());
  results.outputs.back() = Tensor({1, 1, 2}, {8, -26});
  const Comparison found = *compare_with_reference(results);
  CHECK_FALSE(found.accepted());
  CHECK(found.largest == 1);
  CHECK(found.largest_cell == Cell{0, 0, 1});
}

TEST_CASE("it is rounded to a format") {
  Cubed cubed({0.1f}, NumberFormat::float16);
  CHECK(rounding_of(cubed.graph, cubed.y) == NumberFormat::float16);
  CHECK(cubed.results().outputs[cubed.y][{0, 0, 0}] == 0x1.064p-10f);  // of 1.0000000447e-3: numpy.float16
}

TEST_CASE("what flows back through it is 3x² of what comes") {
  Cubed cubed({2});
  cubed.y = append_gradients(cubed.graph, cubed.y).find(cubed.x).value();
  CHECK(cubed.results().outputs[cubed.y][{0, 0, 0}] == 12);
  CHECK(cubed.graph.stages[cubed.y].formula == "dY ⊙ 3 X²");
}
