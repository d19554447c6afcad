// The graph of the workspace of heads: the Pipeline's layer, and what is said of its heads: how sharp each
// is, where its weight lies, what all have in common, how alike two are, and what each adds to the output.
#pragma once

#include <optional>

#include "core/attention/layer.h"
#include "core/document/plan.h"
#include "core/heads/part.h"

namespace attn {

struct HeadsPlaces {
  StageIndex weights = 0, head_output = 0, output = 0;  // of the layer
  std::size_t heads = 0;
  StageIndex entropy = 0;   // h×n×1
  StageIndex columns = 0;   // h×1×m: the weight that each key gets, of all queries
  StageIndex likeness = 0;  // 1×h×h
  std::optional<StageIndex> shares = {}, chance = {}, most_entropy = {};  // for names, up to kMostNamed
  std::optional<StageIndex> map = {};  // what is shown instead of each head's weights
  StageIndex parts = 0;                // h×n×1: how long a head's part of the output is
  StageIndex length = 0;               // 1×n×1: of the output
};
// Queries times keys up to which heads are named.
inline constexpr std::size_t kMostNamed = std::size_t{1} << 20;

// Stages of the layer have the Pipeline's ids, so that what is pinned or typed there is here too.
// Its places are HeadsPlaces.
Built build_heads(const Document& document, Address address = kLayerA);
// The output with each of group_counts() key/value heads, the layer's own first; without what was typed over
// its numbers. None where there is nothing to share.
std::vector<DeferredGraph> deferred_heads(const Document& document, const Places&);

}  // namespace attn
