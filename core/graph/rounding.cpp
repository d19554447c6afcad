// A stage and the same rounded, and the format's spacing, found by rounding.
#include "core/graph/rounding.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

// There is nothing to round.
bool is_exact(const Graph& graph, const Stage& stage) {
  return stage.role == Role::mask || traits(stage.operation, graph.input_shapes(stage), {}).stays_in_format;
}

bool is_rounding(const Graph& graph, StageIndex stage) {
  return graph.stages[stage].traits.rounds_to.has_value();
}

}  // namespace

StageIndex add_rounded(Graph& graph, Stage stage, NumberFormat format) {
  if (format == NumberFormat::float32 || is_exact(graph, stage)) return graph.add(std::move(stage));
  Stage exact = stage;
  exact.id += "_unrounded";
  exact.title += " before rounding";
  if (!exact.sentence.empty()) exact.sentence += ", before it was rounded";
  exact.field.clear();
  exact.traced = false;
  exact.drawn = Drawn::never;
  exact.step = Stage::kNoStep;
  stage.operation = Round{format};
  stage.inputs = {graph.add(std::move(exact))};
  return graph.add(std::move(stage));
}

StageIndex computing(const Graph& graph, StageIndex stage) {
  const StageIndex computed = graph.stages[stage].computed_from.value_or(stage);
  return is_rounding(graph, computed) ? graph.stages[computed].inputs[0] : computed;
}

std::optional<NumberFormat> rounding_of(const Graph& graph, StageIndex stage) {
  return graph.stages[graph.stages[stage].computed_from.value_or(stage)].traits.rounds_to;
}

StageIndex rounded_from(const Graph& graph, StageIndex stage) {
  const StageIndex behind = stage + 1;
  const Stage& computed = graph.stages[stage];
  if (computed.traced || computed.drawn != Drawn::never || behind == graph.stages.size()) return stage;
  if (!is_rounding(graph, behind) || graph.stages[behind].inputs[0] != stage) return stage;
  const bool typed = behind + 1 < graph.stages.size() && graph.stages[behind + 1].computed_from == behind;
  return typed ? behind + 1 : behind;
}

double epsilon_of(NumberFormat format) {
  double epsilon = 1;
  while (rounded(format, 1 + epsilon / 2) > 1) epsilon /= 2;
  return epsilon;
}

double smallest_of(NumberFormat format) {
  double smallest = 1;
  while (rounded(format, smallest / 2) > 0) smallest /= 2;
  return smallest;
}

double spacing_at(NumberFormat format, double x) {
  const double smallest = smallest_of(format);
  return x == 0 ? smallest : std::max(smallest, std::ldexp(epsilon_of(format), std::ilogb(x)));
}

}  // namespace attn
