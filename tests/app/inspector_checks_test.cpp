// The words of the checks and of the device badge, for states of the engine that are sound, broken, still
// being computed, or lost with their device.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/host/headless.h"
#include "app/inspector/checks_panel.h"
#include "app/panels/device_badge.h"
#include "app/program/input.h"
#include "core/attention/layer.h"
#include "core/edits/edit.h"
#include "core/opencl/watched.h"
#include "core/reference/backend.h"
#include "tests/layers.h"
#include "tests/opencl/emptied.h"

using namespace attn;
using namespace attn::tests;
using namespace attn::inspector;

namespace {

EngineState state_of(const Document& document) {
  Budget budget;
  Engine engine([](std::vector<std::string>&) { return make_reference_backend(); }, budget);
  engine.post({document, &kLayerPlan});
  engine.wait_idle();
  return engine.state();
}

CheckLine line_of(const EngineState& state, const std::string& name, std::size_t query = 0) {
  for (const CheckLine& line : check_lines(state, {.query = query}))
    if (line.name == name) return line;
  return {};
}

// As a device would leave it: results with a comparison of that distance.
EngineState on_device(double distance, double excess) {
  EngineState state = state_of(read_document("three-tokens"));
  state.device = "pthread-skylake-avx512-EPYC";
  Comparison comparison;
  comparison.largest = distance;
  comparison.excess = excess;
  comparison.excess_stage = *state.results->graph.find("weights");
  comparison.excess_cell = {0, 2, 1};
  comparison.stages.resize(state.results->outputs.size());
  state.comparison = std::make_shared<const Comparison>(comparison);
  auto results = std::make_shared<Results>(*state.results);
  results->seconds = 0.31e-3;
  state.results = results;
  return state;
}

}  // namespace

TEST_CASE("a sound layer has no broken check") {
  const EngineState state = state_of(read_document("the-cat-sat-on-mat"));
  for (const CheckLine& line : check_lines(state, {.query = 3})) CHECK(line.verdict != CheckLine::bad);
  CHECK(line_of(state, "row sum").value.substr(0, 4) == "1.00");
  CHECK(line_of(state, "row sum").verdict == CheckLine::good);
  CHECK(line_of(state, "weight on masked keys").value == "0");
  CHECK(line_of(state, "from reference").value == "the reference itself");
}

TEST_CASE("the entropy of the drawing's row is 1.238 of 1.386 nats") {
  Document document = read_document("the-cat-sat-on-mat");
  set_causal(document.layer(), CausalAlign::lower_right);
  document.layer().temperature = 6;
  CHECK(line_of(state_of(document), "entropy", 3).value == "1.238 of 1.386 nats");
}

TEST_CASE("a broken row sum names its culprit") {
  Document document = read_document("three-tokens");
  set_number(document, "weights", {0, 1, 2}, 0.9f);
  const CheckLine line = line_of(state_of(document), "row sum");
  CHECK(line.verdict == CheckLine::bad);
  REQUIRE(line.culprit);
  CHECK(line.culprit->stage == "weights");
  CHECK(line.culprit->cell.row == 1);
}

TEST_CASE("NaN inside are counted and lead to the first") {
  Document document = read_document("three-tokens");
  document.layer().q = with_value(document.layer().q, {0, 2, 1}, std::numeric_limits<float>::quiet_NaN());
  const EngineState state = state_of(document);
  const CheckLine line = line_of(state, "NaN, ∞");
  CHECK(line.verdict == CheckLine::bad);
  CHECK(line.culprit == Spot{"q", {0, 2, 1}});
  CHECK(line.value.find("first in Q") != std::string::npos);
  CHECK(line_of(state, "row sum").verdict == CheckLine::bad);
  CHECK(line_of(state, "row sum").culprit->cell.row == 2);
}

TEST_CASE("where there is a NaN no check is shown as being well") {
  Document document = read_document("three-tokens");
  const auto good = [&] {
    return std::ranges::count(check_lines(state_of(document), {.query = 1}), CheckLine::good,
                              &CheckLine::verdict);
  };
  CHECK(good() >= 3);
  document.layer().v = with_value(document.layer().v, {0, 2, 1}, std::numeric_limits<float>::quiet_NaN());
  CHECK(good() == 0);
  CHECK(line_of(state_of(document), "row sum").verdict == CheckLine::plain);
}

TEST_CASE("checks that are still to come keep their lines") {
  EngineState state = state_of(read_document("three-tokens"));
  const std::size_t count = check_lines(state, {.query = 1}).size();
  state.checks.reset();
  CHECK(check_lines(state, {.query = 1}).size() == count);
  CHECK(line_of(state, "row sum").value == "checking…");
  CHECK(line_of(state, "entropy, head 0").value == "checking…");
}

TEST_CASE("distances are told and judged") {
  CHECK(line_of(on_device(2.1e-8, 0.01), "from reference").value == "2.1e−8");
  CHECK(line_of(on_device(2.1e-8, 0.01), "from reference").verdict == CheckLine::good);
  const CheckLine far = line_of(on_device(0.5, 1000), "from reference");
  CHECK(far.verdict == CheckLine::bad);
  CHECK(far.culprit == Spot{"weights", {0, 2, 1}});
  EngineState waiting = on_device(0, 0);
  waiting.comparison.reset();
  CHECK(line_of(waiting, "from reference").value == "comparing…");
}

TEST_CASE("the badge tells device and time and distance") {
  const Badge badge = badge_of(on_device(2.1e-8, 0.01), false);
  CHECK(badge.health == Badge::good);
  CHECK(badge.text == "OpenCL · PoCL EPYC · 0.31 ms · ≤ 3e−8 from reference");
  CHECK(badge_of(on_device(2.1e-8, 0.01), true).text == "OpenCL · PoCL EPYC · ≤ 3e−8 from reference");
  CHECK(badge_of(on_device(0, 0), true).text == "OpenCL · PoCL EPYC · equal to the reference");
}

TEST_CASE("the badge is amber on the reference and red with the reason after a fault") {
  EngineState state = state_of(read_document("three-tokens"));
  CHECK(badge_of(state, true).health == Badge::reference);
  CHECK(badge_of(state, true).text == "reference");
  state.device_error = "there is no device 7";
  CHECK(badge_of(state, true).health == Badge::fault);
  CHECK(badge_of(state, true).text == "reference · there is no device 7");
  EngineState lost = on_device(0, 0);
  lost.fault = Fault::device;
  lost.error = "the device went away";
  CHECK(badge_of(lost, true).health == Badge::fault);
  CHECK(badge_of(lost, true).text == "OpenCL · PoCL EPYC · the device went away");
  EngineState behind = on_device(0, 0);
  behind.deferred = std::make_shared<const DeferredResults>(
      DeferredResults{.results = behind.results, .error = "the device went later", .fault = Fault::device});
  CHECK(badge_of(behind, true).health == Badge::fault);
  CHECK(badge_of(behind, true).text == "OpenCL · PoCL EPYC · the device went later");
  CHECK(badge_of(behind, true).tooltip.starts_with("the device went later\n"));
  EngineState typo = on_device(0, 0);
  typo.fault = Fault::input;
  typo.error = "7 heads do not divide 16";
  CHECK(badge_of(typo, true).health == Badge::good);
  CHECK(badge_of(typo, true).reason.empty());
  CHECK(badge_of(lost, true).reason == "the device went away");
  CHECK(badge_of(on_device(0.5, 1000), true).health == Badge::fault);
  CHECK(badge_of(on_device(0.5, 1000), true).reason == "≤ 0.5 from reference, more than is accepted");
}

TEST_CASE("the badge says when there is no distance and when there is no device yet") {
  EngineState state = on_device(0, 0);
  state.comparison.reset();
  CHECK(badge_of(state, true).text == "OpenCL · PoCL EPYC · comparing…");
  Comparison large;
  large.reason = "not compared: too large";
  state.comparison = std::make_shared<const Comparison>(large);
  CHECK(badge_of(state, true).text == "OpenCL · PoCL EPYC · not compared");
  CHECK(badge_of({}, true).text == "starting the device…");
  CHECK(badge_of({}, true).health == Badge::starting);
}

TEST_CASE("the badge is not green while a check fails and says which") {
  Document document = read_document("three-tokens");
  set_number(document, "weights", {0, 1, 2}, 0.9f);
  EngineState state = on_device(2e-8, 0.01);
  state.checks = state_of(document).checks;
  const Badge badge = badge_of(state, true);
  CHECK(badge.health == Badge::doubtful);
  CHECK(badge.text.find("row sum: ") != std::string::npos);
  state.device = "reference";
  CHECK(badge_of(state, true).health == Badge::doubtful);
  document = read_document("three-tokens");
  document.layer().q = with_value(document.layer().q, {0, 2, 1}, std::numeric_limits<float>::quiet_NaN());
  state.checks = state_of(document).checks;
  CHECK(badge_of(state, true).health == Badge::doubtful);
  CHECK(badge_of(state, true).text.find("NaN") != std::string::npos);
}

TEST_CASE("the badge is not green while the distance is huge or nothing is known of it") {
  CHECK(badge_of(on_device(9e-4, 0.9), true).health == Badge::good);
  CHECK(badge_of(on_device(0.002, 0.9), true).health == Badge::doubtful);
  const Badge huge = badge_of(on_device(3e24, 0.5), true);
  CHECK(huge.health == Badge::doubtful);
  CHECK(huge.tooltip.find("accepted, as its numbers are large") != std::string::npos);
  CHECK(badge_of(on_device(std::numeric_limits<double>::infinity(), 0.5), true).health == Badge::doubtful);
  EngineState state = on_device(0, 0);
  state.comparison.reset();
  CHECK(badge_of(state, true).health == Badge::starting);
  Comparison large;
  large.reason = "not compared: too large";
  state.comparison = std::make_shared<const Comparison>(large);
  CHECK(badge_of(state, true).health == Badge::starting);
}

TEST_CASE("devices are called by their model") {
  EngineState state = on_device(0, 0);
  state.device = "pthread-Intel(R) Xeon(R) E5-2650";
  CHECK(badge_of(state, true).text.find("OpenCL · PoCL Intel(R) Xeon(R) E5-2650 ·") == 0);
  state.device = "NVIDIA H200";
  CHECK(badge_of(state, true).text.find("OpenCL · NVIDIA H200 ·") == 0);
  state.device = "pthread-generic";
  CHECK(badge_of(state, true).text.find("OpenCL · PoCL ·") == 0);
}

TEST_CASE("bounds are rounded up to one digit and times to two") {
  CHECK(write_bound(2.1e-8) == "3e−8");
  CHECK(write_bound(3e-8) == "3e−8");
  CHECK(write_bound(9.5e-8) == "1e−7");
  CHECK(write_bound(0.021) == "0.03");
  CHECK(write_bound(std::numeric_limits<double>::infinity()) == "∞");
  CHECK(write_seconds(0.31e-3) == "0.31 ms");
  CHECK(write_seconds(0.0123) == "12 ms");
  CHECK(write_seconds(42e-6) == "42 µs");
  CHECK(write_seconds(1.26) == "1.3 s");
}

TEST_CASE("an overflow of a layer in float16 is a line that leads to its cell") {
  Document document = read_document("three-tokens");
  document.layer().precision = NumberFormat::float16;
  CHECK(line_of(state_of(document), "float16").value.empty());
  set_number(document, "q", {0, 0, 0}, 300);
  set_number(document, "k", {0, 0, 0}, 250);
  const CheckLine line = line_of(state_of(document), "float16");
  CHECK(line.verdict == CheckLine::bad);
  CHECK(line.value == "scores: 75000 > 65504");
  REQUIRE(line.culprit);
  CHECK(line.culprit->stage == "scores");
  CHECK(line.culprit->cell == Cell{0, 0, 0});
  CHECK(line.explanation.find("at query 0, key 0") != std::string::npos);
}

TEST_CASE("rows of rounded weights are good and the check says how near the format comes") {
  Document document = read_document("three-tokens");
  document.layer().precision = NumberFormat::bfloat16;
  const CheckLine line = line_of(state_of(document), "row sum");
  CHECK(line.verdict == CheckLine::good);
  CHECK(line.explanation.find("as near as bfloat16 comes") != std::string::npos);
}

// The layer's own numbers are right; what is computed behind them, when the hand rests, is not.
TEST_CASE("a device that is wrong only behind the results turns the badge red and the reference goes on") {
  const Document document = read_document("three-tokens");
  const Graph graph = build_graph(document.layer());
  const auto products = std::ranges::count_if(
      graph.stages, [](const Stage& stage) { return std::holds_alternative<MatMul>(stage.operation); });
  Headless lab({.document = document, .backend = [&](std::vector<std::string>&) {
                  return opencl::watched(std::make_unique<Emptied>(static_cast<int>(products) + 1),
                                         opencl::WhenWrong::reference);
                }});
  lab.settle();
  const EngineState& state = lab.app().engine_state();
  const Badge badge = badge_of(state, true);
  CHECK(badge.health == Badge::fault);
  CHECK(badge.text.starts_with(
      "reference · computing on the reference instead: emptied computes wrong numbers: matmul["));
  CHECK(lab.shows("reference · computing on the reference instead"));
  CHECK(std::ranges::any_of(lab.texts(), [](const DrawnText& text) {  // on the status line, for the keys
    return text.text.starts_with("computing on the reference instead") && text.box.min.y > 950;
  }));
  CHECK_FALSE(lab.shows("F1 manual"));
  REQUIRE(state.results);
  CHECK(state.results->device == kReference);
  REQUIRE(state.deferred);
  CHECK(state.deferred->error.empty());
  CHECK(state.deferred->done == state.deferred->outputs.size());
}
