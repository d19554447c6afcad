// The layers that A is compared with: each with what is typed over its numbers, and following what it shares
// with A.
#pragma once

#include <vector>

#include "core/document/document.h"

namespace attn {

// Whether its parts fit together: it can be computed.
bool is_whole(const LayerSpec& layer);

// A layer with what is typed over its numbers, as the Pipeline names them.
struct TypedLayer {
  LayerSpec layer;
  std::vector<StageOverride> typed = {};
  bool operator==(const TypedLayer&) const = default;
};
// What it begins as where the layer is not there yet.
TypedLayer typed_layer(const Document& document, Address address = kLayerA);
// In its place; layers before it that were not there begin.
void put_layer(Document& document, const TypedLayer& layer, Address address = kLayerA);

// What A and a compared layer share stays shared: what an edit changed of A, and what a layer had as A had
// it before and the edit left alone, it has as A has it now. A layer whose own matrices fit no more keeps its
// choices, and where these do not fit either it becomes a copy of A.
void follow(const Document& before, Document& after);

}  // namespace attn
