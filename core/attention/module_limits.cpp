// What MultiheadAttention has no words for.
#include <algorithm>
#include <cmath>

#include "core/attention/attention_call.h"
#include "core/graph/rounding.h"
#include "core/text/text.h"

namespace attn {
namespace {

bool is_projection(const Stage& stage) {
  return stage.traits.column_heads > 0;
}

// The last output of the part that the call is of.
StageIndex last_output(const Graph& graph, const AttentionCall& call) {
  StageIndex last = call.output;
  for (StageIndex i = last; i < graph.stages.size() && graph.stages[i].part == graph.stages[last].part; ++i)
    if (graph.stages[i].role == Role::output) last = i;
  return last;
}

void add_widths(const Graph& graph, const AttentionCall& call, std::vector<std::string>& omitted) {
  const Shape& q = graph.stages[call.q].shape;
  const std::size_t tokens = graph.stages[projected_from(graph, call.q)].shape.columns;
  const std::size_t heads = q.stack * q.columns,
                    output = graph.stages[last_output(graph, call)].shape.columns;
  if (tokens != heads)
    omitted.push_back("heads of " + std::to_string(heads) + " numbers together, for tokens of " +
                      std::to_string(tokens));
  if (output != tokens)
    omitted.push_back("an output of " + std::to_string(output) + " numbers, for tokens of " +
                      std::to_string(tokens));
}

void add_merging(const Graph& graph, const AttentionCall& call, std::vector<std::string>& omitted) {
  bool projected = false, joined = false;
  for (StageIndex i = call.output; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    if (stage.part != graph.stages[call.output].part) break;
    if (stage.traits.mutes_heads) omitted.push_back("heads that are switched off");
    projected = projected || is_projection(stage);
    joined = joined || stage.traits.joins_heads;
  }
  if (!joined) omitted.push_back("heads joined as they lie in memory, not side by side");
  if (!projected) omitted.push_back("heads side by side without W_O: its out_proj is 1 and 0 then");
}

}  // namespace

bool is_scaled(const AttentionCall& call, std::size_t columns) {
  const double usual = 1 / std::sqrt(static_cast<double>(columns));
  return std::abs(call.scale - usual) > 1e-15 * usual;
}

std::optional<StageIndex> projection_of(const Graph& graph, StageIndex stage) {
  while (!graph.stages[stage].inputs.empty()) {
    const StageIndex computed = computing(graph, stage);
    if (is_projection(graph.stages[computed])) return computed;
    stage = graph.stages[computed].inputs[0];
  }
  return std::nullopt;
}

StageIndex projected_from(const Graph& graph, StageIndex stage) {
  if (const auto projection = projection_of(graph, stage)) return graph.stages[*projection].inputs[0];
  while (!graph.stages[stage].inputs.empty()) stage = graph.stages[computing(graph, stage)].inputs[0];
  return stage;
}

std::vector<std::string> omitted_by_module(const Graph& graph, const AttentionCall& call) {
  std::vector<std::string> omitted = call.omitted;
  const Shape &q = graph.stages[call.q].shape, &k = graph.stages[call.k].shape;
  for (const StageIndex side : {call.q, call.k, call.v})
    if (!is_projection(graph.stages[computing(graph, side)]))
      omitted.push_back(graph.stages[side].title + ": " + graph.stages[side].formula);
  if (is_scaled(call, q.columns)) omitted.push_back("a scale of " + shortest(call.scale));
  if (k.stack != q.stack) omitted.push_back("heads that share keys and values");
  if (graph.stages[call.v].shape.columns != q.columns) omitted.push_back("values of another width than keys");
  add_widths(graph, call, omitted);
  add_merging(graph, call, omitted);
  std::ranges::sort(omitted);
  omitted.erase(std::unique(omitted.begin(), omitted.end()), omitted.end());
  return omitted;
}

}  // namespace attn
