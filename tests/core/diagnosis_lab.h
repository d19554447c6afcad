// Layers with every part that a mistake can be made in, what they compute, and their diagnosis.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/stage_meaning.h"
#include "core/reference/backend.h"
#include "tests/random_layer.h"

namespace attn::tests {

// Four heads over `groups` of 4 features each, with biases; its other parts are for whoever asks.
inline LayerSpec diagnosed_layer(std::uint32_t seed, std::size_t groups = 4, std::size_t tokens = 7) {
  Random random(seed);
  LayerSpec layer;
  layer.heads = 4, layer.kv_heads = groups;
  layer.x = normal(random, {1, tokens, 16});
  layer.w_q = normal(random, {1, 16, 16}, 0.4f), layer.w_o = normal(random, {1, 16, 16}, 0.4f);
  layer.w_k = normal(random, {1, 16, 4 * groups}, 0.4f),
  layer.w_v = normal(random, {1, 16, 4 * groups}, 0.4f);
  layer.b_q = normal(random, {1, 1, 16}, 0.5f), layer.b_o = normal(random, {1, 1, 16}, 0.5f);
  layer.b_k = normal(random, {1, 1, 4 * groups}, 0.5f), layer.b_v = normal(random, {1, 1, 4 * groups}, 0.5f);
  return layer;
}

inline LayerSpec with_rules(LayerSpec layer, const std::vector<MaskRule>& rules) {
  for (const MaskRule& rule : rules) layer.masks.push_back({.rule = rule});
  return layer;
}

// What the layer computes in double, rounded once at the end.
inline std::vector<GivenStage> given_by(const LayerSpec& layer, const std::vector<std::string>& ids) {
  const Graph graph = build_graph(layer);
  const std::vector<Tensor64> numbers = evaluate_in_double(graph);
  std::vector<GivenStage> given;
  for (const std::string& id : ids) given.push_back({id, to_float(numbers[stages_meant(graph, id).back()])});
  return given;
}

inline Diagnosis diagnosis_of(DiagnosisRequest request) {
  const auto backend = make_reference_backend();
  Diagnoser diagnoser(std::move(request));
  while (!diagnoser.step(*backend)) CHECK(diagnoser.found().tried <= diagnoser.found().to_try);
  const Diagnosis& found = diagnoser.found();
  CHECK(found.tried == found.to_try);
  return found;
}

using Words = std::set<std::string>;
inline Words words_of(const Tried& tried) {
  return {tried.words.begin(), tried.words.end()};
}
inline Words found_words(const Diagnosis& found) {
  return found.found() ? words_of(*found.found()) : Words{};
}
// Every set that reproduces yours.
inline std::set<Words> tied_words(const Diagnosis& found) {
  std::set<Words> ties;
  const bool alone = !found.singles.empty() && found.singles.front().reproduces;
  for (const std::size_t i : found.reproducing)
    ties.insert(words_of((alone ? found.singles : found.together)[i]));
  return ties;
}

// For messages.
inline std::string text_of(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

inline const std::vector<std::string> kTold{"scaled", "weights", "output"};

}  // namespace attn::tests
