// A device's stack held against the reference: roundings of many layers are no fault of it, one wrong number
// is.
#include <doctest/doctest.h>

#include <functional>
#include <vector>

#include "core/checks/comparison.h"
#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/evaluate/evaluator.h"
#include "core/system/budget.h"
#include "tests/dates_document.h"
#include "tests/devices.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct StackSwitch {
  const char* name;
  std::function<void(Document&)> turn;
};

const std::vector<StackSwitch> kStackSwitches{
    {"as trained", [](Document&) {}},
    {"no norm", [](Document& d) { set_norm_at(d, NormAt::none); }},
    {"norm behind", [](Document& d) { set_norm_at(d, NormAt::after); }},
    {"RMSNorm", [](Document& d) { set_norm_kind(d, NormKind::rms); }},
    {"no residual", [](Document& d) { d.transformer.residual = false; }},
    {"no norm and no residual",
     [](Document& d) { set_norm_at(d, NormAt::none), d.transformer.residual = false; }},
    {"ReLU", [](Document& d) { set_feed_forward(d, FeedForward::relu); }},
    {"1 head", [](Document& d) { set_stack_heads(d, 1); }},
    {"8 heads", [](Document& d) { set_stack_heads(d, 8); }},
    {"16 heads", [](Document& d) { set_stack_heads(d, 16); }},
    {"a number typed over a norm", [](Document& d) {
       d.overrides.push_back({std::string(kStackPlan.name), "encoder.0.norm1", {{0, 0, 0}, 0.5f}});
     }}};

Results stack_results(const Document& document, Backend& backend) {
  Budget budget;
  return Evaluator(backend, budget).evaluate(document, build_stack(document));
}

}  // namespace

TEST_CASE("no rounding of the dates is taken for a fault of the device, whatever is switched") {
  Budget budget;
  std::vector<std::string> notes;
  const auto device = devices()->choose("auto", budget, notes);
  std::size_t add_up = 0;
  for (const StackSwitch& each : kStackSwitches) {
    CAPTURE(std::string(each.name));
    Document document = dates_document();
    each.turn(document);
    const auto comparison = compare_with_reference(stack_results(document, *device));
    REQUIRE(comparison);
    REQUIRE(comparison->reason.empty());
    CAPTURE(comparison->excess);
    CHECK(comparison->accepted());
    CHECK(comparison->largest > 0);
    // More than one stage is allowed near 0.
    add_up += comparison->largest > accepted_distance(0) ? 1 : 0;
  }
  CHECK(add_up > 0);
}

TEST_CASE("one wrong number of a deep stack is told with its stage, and what follows from it is not") {
  Budget budget;
  std::vector<std::string> notes;
  const auto device = devices()->choose("auto", budget, notes);
  Document document = dates_document();
  set_norm_at(document, NormAt::none);
  const Results results = stack_results(document, *device);
  const Cell cell{0, 1, 2};
  for (const char* stage : {"encoder.0.q", "encoder.2.weights", "decoder.3.inner", "decoder.output"}) {
    CAPTURE(std::string(stage));
    const auto right = results.graph.find(stage);
    REQUIRE(right);
    const float number = results.outputs[*right][cell];
    // The device has another number there, and goes on with it; to the graph it is typed as it should be.
    Document typed = document;
    typed.overrides.push_back({std::string(kStackPlan.name), stage, {cell, number + 1e-3f}});
    Results wrong = stack_results(typed, *device);
    const StageIndex index = *wrong.graph.find(stage);
    std::get<Override>(wrong.graph.stages[index].operation).cells.front().value = number;
    const auto comparison = compare_with_reference(wrong);
    CHECK_FALSE(comparison->accepted());
    CHECK(wrong.graph.stages[comparison->excess_stage].id == stage);
    CHECK(comparison->excess_cell == cell);
  }
}
