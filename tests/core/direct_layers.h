// Layers whose Q, K and V are given, and the numbers of their stages in double.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "core/reference/backend.h"
#include "tests/contains.h"
#include "tests/core/edit_documents.h"

namespace attn::tests {

inline Tensor64 stage_of(const LayerSpec& layer, const std::string& id) {
  const Graph graph = build_graph(layer);
  return evaluate_in_double(graph)[graph.find(id).value()];
}

inline LayerSpec direct_layer(Shape q, Shape k, Shape v, std::uint32_t seed) {
  Random random(seed);
  LayerSpec layer;
  layer.direct = true;
  layer.q = normal(random, q), layer.k = normal(random, k), layer.v = normal(random, v);
  return layer;
}
inline LayerSpec direct_layer(Shape q, Shape k, std::uint32_t seed) {
  return direct_layer(q, k, k, seed);
}

}  // namespace attn::tests
