// Steps as values, without a window: which ones a graph has, how stepping and playing move among them, and
// how soon what lies behind a step is dim.
#include <doctest/doctest.h>

#include "app/canvas/steps.h"
#include "app/program/input.h"
#include "core/edits/edit.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

Graph layer_graph(const std::string& example, bool causal) {
  Document document = read_document(example);
  set_causal(document.layer(), causal ? std::optional(CausalAlign::lower_right) : std::nullopt);
  return build_layer(document).graph;
}

std::string titles(const std::vector<StepChip>& steps) {
  std::string text;
  for (const StepChip& step : steps) text += (text.empty() ? "" : ", ") + step.title;
  return text;
}

std::string now(const View& view, const std::vector<StepChip>& steps) {
  const auto place = place_of(steps, view.canvas().step);
  return place ? steps[*place].title : "none";
}

}  // namespace

TEST_CASE("only the stages that a layer has are steps") {
  const View view;
  CHECK(titles(graph_steps(layer_graph("the-cat-sat-on-mat", false), view)) ==
        "X, + position, Q K V, scores, scaled, weights, output");
  CHECK(titles(graph_steps(layer_graph("the-cat-sat-on-mat-two-heads", true), view)) ==
        "X, + position, Q K V, scores, scaled, masked, weights, head output, output");
}

TEST_CASE("the softmax opens into row maximum and exp and sum and division") {
  View view;
  view.layer.open_softmax = true;
  CHECK(titles(graph_steps(layer_graph("three-tokens", false), view)).find("row max, exp, sum, ÷ sum") !=
        std::string::npos);
}

TEST_CASE("the steps of predicted centres are closed with the others whatever parameters they have") {
  Document document = read_document("the-cat-sat-on-mat");
  set_local(document, Local::predictive);
  View view;
  CHECK(titles(graph_steps(build_layer(document).graph, view)).find("W_p q") == std::string::npos);
  view.layer.open_softmax = true;
  CHECK(titles(graph_steps(build_layer(document).graph, view)).find("W_p q, tanh(W_p q), v_p, centre") !=
        std::string::npos);
}

TEST_CASE("one chip opens all steps inside and stands before the weights") {
  Document document = read_document("the-cat-sat-on-mat");
  set_local(document, Local::predictive);
  const Graph graph = build_layer(document).graph;
  for (const bool open : {false, true}) {
    View view;
    view.layer.open_softmax = open;
    const std::vector<StepChip> steps = graph_steps(graph, view);
    CHECK(std::ranges::count(steps, true, &StepChip::opener) == 1);
    CHECK(std::ranges::find(steps, true, &StepChip::opener)->title == (open ? "row max" : "weights"));
  }
}

TEST_CASE("stepping skips what a layer does not have and stops at both ends") {
  View view;
  const std::vector<StepChip> steps = graph_steps(layer_graph("the-cat-sat-on-mat", false), view);
  step_by(view, steps, 1);
  CHECK(now(view, steps) == "X");
  step_by(view, steps, -1);
  CHECK(now(view, steps) == "X");
  for (int i = 0; i < 5; ++i) step_by(view, steps, 1);
  CHECK(now(view, steps) == "weights");  // no bias, no mask between scaled and it
  step_to(view, steps, kLastStep);
  CHECK(now(view, steps) == "output");
  step_by(view, steps, 1);
  CHECK(now(view, steps) == "output");
  leave_steps(view);
  step_by(view, steps, -1);
  CHECK(now(view, steps) == "output");
}

TEST_CASE("stages behind the step are dimmed and the dimming takes less than 200 ms") {
  View view;
  const Graph graph = layer_graph("the-cat-sat-on-mat", true);
  const std::vector<StepChip> steps = graph_steps(graph, view);
  const auto opacity = [&](const char* stage) {
    return stage_opacity(view, steps, graph.find(stage).value());
  };
  step_to(view, steps, 3);
  CHECK(opacity("weights") == 1);
  for (int i = 0; i < 6; ++i) advance_steps(view, {}, graph, steps, 0.03);
  CHECK(opacity("scores") == 1);
  CHECK(opacity("w_k") == 1);
  CHECK(opacity("weights") < 0.5f);
  leave_steps(view);
  for (int i = 0; i < 6; ++i) advance_steps(view, {}, graph, steps, 0.03);
  CHECK(opacity("weights") == 1);
}

TEST_CASE("reduced motion dims at once") {
  View view;
  view.settings.reduce_motion = true;
  const Graph graph = layer_graph("the-cat-sat-on-mat", true);
  const std::vector<StepChip> steps = graph_steps(graph, view);
  step_to(view, steps, 3);
  CHECK(stage_opacity(view, steps, graph.find("weights").value()) < 0.5f);
}

TEST_CASE("playing takes a step a second and ends at the last") {
  View view;
  const Graph graph = layer_graph("the-cat-sat-on-mat", false);
  const std::vector<StepChip> steps = graph_steps(graph, view);
  toggle_play(view, Document(), steps);
  CHECK(now(view, steps) == "X");
  for (int i = 0; i < 11; ++i) advance_steps(view, {}, graph, steps, 0.1);
  CHECK(now(view, steps) == "+ position");
  for (int i = 0; i < 100; ++i) advance_steps(view, {}, graph, steps, 0.1);
  CHECK(now(view, steps) == "output");
  CHECK_FALSE(view.canvas().playing);
  toggle_play(view, Document(), steps);
  CHECK(now(view, steps) == "X");
}
