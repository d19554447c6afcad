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

}  // namespace attn
