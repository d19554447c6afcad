// Inputs come before their readers: one pass from the front.
#include "core/graph/lifetimes.h"

#include <algorithm>

namespace attn {
namespace {

// By stage, the last of the needed stages that reads it; itself when none does.
std::vector<StageIndex> last_readers(const Graph& graph, const std::vector<bool>& needed) {
  std::vector<StageIndex> last(graph.stages.size());
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    last[i] = i;
    if (!needed.empty() && !needed[i]) continue;
    for (const StageIndex input : graph.stages[i].inputs) last[input] = i;
  }
  return last;
}

}  // namespace

std::vector<std::vector<StageIndex>> ends_by_stage(const Graph& graph, const std::vector<bool>& needed,
                                                   std::span<const StageIndex> kept) {
  const std::vector<StageIndex> last = last_readers(graph, needed);
  std::vector<std::vector<StageIndex>> ends(graph.stages.size());
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (!graph.stages[i].given() && std::ranges::find(kept, i) == kept.end()) ends[last[i]].push_back(i);
  return ends;
}

std::vector<bool> made_in_place(const Graph& graph) {
  const std::vector<StageIndex> last = last_readers(graph, {});
  std::vector<bool> all;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    all.push_back(stage.traits.in_place && graph.stages[stage.inputs[0]].given() &&
                  last[stage.inputs[0]] == i);
  }
  return all;
}

}  // namespace attn
