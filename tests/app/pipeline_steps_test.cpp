#include <doctest/doctest.h>

#include "app/input.h"
#include "app/workspaces/pipeline.h"

using namespace attn;

namespace {

Graph graph_of(const std::string& example, bool causal) {
  Document document = read_document(example);
  document.layer.causal = causal ? std::optional(CausalAlign::lower_right) : std::nullopt;
  return build_graph(document.layer);
}

std::string titles(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps)
    if (step.present) text += (text.empty() ? "" : ", ") + step.title;
  return text;
}

std::string now(const View& view, const std::vector<Step>& steps) {
  return view.step ? steps[*view.step].title : "none";
}

}  // namespace

TEST_CASE("only the stages that a layer has are steps") {
  const View view;
  CHECK(titles(pipeline_steps(graph_of("the-cat-sat-on-mat", false), view)) ==
        "X, + position, Q K V, scores, scaled, weights, output");
  CHECK(titles(pipeline_steps(graph_of("the-cat-sat-on-mat-two-heads", true), view)) ==
        "X, + position, Q K V, scores, scaled, masked, weights, head output, concat · W_O");
}

TEST_CASE("the softmax opens into row maximum and exp and sum and division") {
  View view;
  view.open_softmax = true;
  CHECK(titles(pipeline_steps(graph_of("three-tokens", false), view)).find("row max, exp, sum, ÷ sum") !=
        std::string::npos);
}

TEST_CASE("stepping skips what a layer does not have and stops at both ends") {
  View view;
  const std::vector<Step> steps = pipeline_steps(graph_of("the-cat-sat-on-mat", false), view);
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
  const std::vector<Step> steps = pipeline_steps(graph_of("the-cat-sat-on-mat", true), view);
  step_to(view, steps, 3);
  CHECK(stage_opacity(view, steps, "weights") == 1);
  for (int i = 0; i < 6; ++i) advance_steps(view, steps, 0.03);
  CHECK(stage_opacity(view, steps, "scores") == 1);
  CHECK(stage_opacity(view, steps, "w_k") == 1);
  CHECK(stage_opacity(view, steps, "weights") < 0.5f);
  leave_steps(view);
  for (int i = 0; i < 6; ++i) advance_steps(view, steps, 0.03);
  CHECK(stage_opacity(view, steps, "weights") == 1);
}

TEST_CASE("reduced motion dims at once") {
  View view;
  view.settings.reduce_motion = true;
  const std::vector<Step> steps = pipeline_steps(graph_of("the-cat-sat-on-mat", true), view);
  step_to(view, steps, 3);
  CHECK(stage_opacity(view, steps, "weights") < 0.5f);
}

TEST_CASE("playing takes a step a second and ends at the last") {
  View view;
  const std::vector<Step> steps = pipeline_steps(graph_of("the-cat-sat-on-mat", false), view);
  toggle_play(view, steps);
  CHECK(now(view, steps) == "X");
  for (int i = 0; i < 11; ++i) advance_steps(view, steps, 0.1);
  CHECK(now(view, steps) == "+ position");
  for (int i = 0; i < 100; ++i) advance_steps(view, steps, 0.1);
  CHECK(now(view, steps) == "output");
  CHECK_FALSE(view.playing);
  toggle_play(view, steps);
  CHECK(now(view, steps) == "X");
}
