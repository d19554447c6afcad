// Layers of three tokens whose checks can be worked out by hand.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/checks/checks.h"
#include "tests/random_layer.h"
#include "tests/special.h"

namespace attn::tests {

// Three tokens, QKᵀ = [1 1 2; 1 1 0; 2 0 1], scaled by a half.
inline LayerSpec three_tokens() {
  LayerSpec layer;
  layer.direct = true;
  layer.q = Tensor({1, 3, 4}, {1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0});
  layer.k = Tensor({1, 3, 4}, {1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0});
  layer.v = Tensor({1, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  return layer;
}

inline Results evaluate(const LayerSpec& layer, std::vector<StageOverride> overrides = {}) {
  return evaluated({.layers = {layer}, .overrides = std::move(overrides)});
}

// Of the layer's only softmax.
inline const SoftmaxChecks& only(const Checks& checks) {
  REQUIRE(checks.softmaxes.size() == 1);
  return checks.softmaxes[0];
}
inline StageIndex weights_of(const Results& results) {
  return *results.graph.find(Role::weights);
}

// Causal but for these cells.
inline Tensor causal_but(Shape shape, const std::vector<Cell>& flipped) {
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Cell cell = cell_at(shape, i);
    values[i] = (cell.column > cell.row) != (std::ranges::count(flipped, cell) > 0) ? 1.0f : 0.0f;
  }
  return {shape, std::move(values)};
}

inline const StageFaults* faults_of(const Results& results, const Checks& checks, const char* stage) {
  for (const StageFaults& faults : checks.faults)
    if (results.graph.stages[faults.stage].id == stage) return &faults;
  return nullptr;
}

}  // namespace attn::tests
