// The row of scores that the workspace of the softmax is about, where it is the layer's.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/document/document.h"

namespace attn {

// Where it stands in the graph of the Pipeline.
struct LayerRow {
  std::string stage;  // what the layer's softmax reads: of one head and query `count` scores
  // Of a softmax over queries a row is that of a key, and the others are queries.
  std::size_t head = 0, query = 0, count = 0;
  Labels keys = {};        // empty: indices
  std::string label = {};  // of the query; empty: its index
};

// Throws what building the layer throws, and Error where it has no query or no key.
LayerRow layer_row(const Document& document, Address address = kLayerA);

// Edits of whichever row it is. Scores of the layer's are overrides of what its softmax reads: a number typed
// there, or −∞ for a masked key; keys cannot come or go there before the row is the person's own. The layer's
// row as it is shown, where that is known, needs no graph of the layer. Each throws Error, with nothing
// changed, where there is no such key.
void set_score(Document& document, std::size_t key, float score, const std::optional<LayerRow>& shown = {});
// A key of the layer's row is shown again as far as it was hidden here; what its own mask hides stays hidden.
void mask_key(Document& document, std::size_t key, bool masked, const std::optional<LayerRow>& shown = {});

// Appends the stages of the layer that the row is made from, as a part "layer" of their own that is only
// looked through, with what the person typed over them in the Pipeline; returns what its softmax reads, and
// which row of it is meant.
std::pair<LayerRow, StageIndex> append_layer_scores(Graph& graph, const Document& document, Address address);

}  // namespace attn
