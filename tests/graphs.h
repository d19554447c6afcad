// Graphs of two layers, as plans: side by side, and one after the other.
#pragma once

#include "core/attention/layer.h"
#include "core/document/plan.h"
#include "tests/layers.h"

namespace attn::tests {

inline Graph given_nothing(const Document&) {
  return {};
}

inline Built build_side_by_side(const Document& document, Address = kLayerA);
inline Built build_one_after_other(const Document& document, Address = kLayerA);
inline constexpr Plan kSideBySide{"side by side", build_side_by_side, given_nothing};
inline constexpr Plan kOneAfterOther{"one after other", build_one_after_other, given_nothing};

// The document's layer, and compared with it the same one with a causal mask.
inline Built build_side_by_side(const Document& document, Address) {
  Graph graph;
  graph.overrides = overrides_of(document, kSideBySide);
  append_layer(graph, document.layer(), {.prefix = "a.", .title = "A", .address = kLayerA});
  LayerSpec causal = document.layer();
  set_causal(causal, CausalAlign::lower_right);
  append_layer(graph, causal, {.prefix = "b.", .title = "B", .address = kLayerA});
  return graph;
}

// The document's layer, and behind it the same one reading the first one's output.
inline Built build_one_after_other(const Document& document, Address) {
  Graph graph;
  graph.overrides = overrides_of(document, kOneAfterOther);
  const LayerStages first =
      append_layer(graph, document.layer(), {.prefix = "a.", .title = "A", .address = kLayerA});
  append_layer(graph, document.layer(),
               {.prefix = "b.", .title = "B", .address = kLayerA, .input = first.output});
  return graph;
}

}  // namespace attn::tests
