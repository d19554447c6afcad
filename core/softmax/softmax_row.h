// The row of scores that the workspace of the softmax is about, where it is the layer's.
#pragma once

#include <string>
#include <utility>

#include "core/document.h"

namespace attn {

// Where it stands in the graph of the Pipeline.
struct LayerRow {
  std::string stage;  // what the layer's softmax reads
  std::size_t head = 0, query = 0;
  Labels keys = {};        // empty: indices
  std::string label = {};  // of the query; empty: its index
};

// Throws what building the layer throws, and Error where it has no query or no key.
LayerRow layer_row(const Document& document, Address address = kLayerA);

// Appends the stages of the layer that the row is made from, as a part "layer" of their own that is only
// looked through, with what the person typed over them in the Pipeline; returns what its softmax reads, and
// which row of it is meant.
std::pair<LayerRow, StageIndex> append_layer_scores(Graph& graph, const Document& document, Address address);

}  // namespace attn
