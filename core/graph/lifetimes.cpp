// Inputs come before their readers: one pass from the front.
#include "core/graph/lifetimes.h"

namespace attn {

std::vector<StageIndex> last_readers(const Graph& graph, const std::vector<bool>& needed) {
  std::vector<StageIndex> last(graph.stages.size());
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    last[i] = i;
    if (!needed.empty() && !needed[i]) continue;
    for (const StageIndex input : graph.stages[i].inputs) last[input] = i;
  }
  return last;
}

}  // namespace attn
