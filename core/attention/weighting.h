// Weightings: the ways from rows of scores to weights, each as stages with their explanations.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

// What the weights that add up to 1 are of: each query's, over the keys, or each key's, over the queries.
// Or of each pair, over the heads.
enum class SoftmaxOver { keys, queries, heads };

enum class Weighting { softmax, softmax_1, sparsemax, sigmoid, relu, hard };

struct WeightingText {
  std::string_view word;     // of sessions and the command line
  std::string_view title;    // of controls
  std::string_view formula;  // of one weight
  std::string_view sum;      // what a row adds up to
  std::string_view source;   // empty: a limit of another
  RowTotal total;
  bool undefined = false;  // of a row with no key: what becomes of it is chosen; the others give it zeros
};

// In the order of the enumeration.
inline constexpr std::array<WeightingText, 6> kWeightings{
    {{"softmax", "softmax", "exp(z − max) ÷ Σ exp(z − max)", "1", "Bridle 1990", RowTotal::one, true},
     {"softmax-1", "softmax-1", "exp(z − c) ÷ (exp(−c) + Σ exp(z − c)), c = max(0, max z)", "below 1",
      "Miller 2023", RowTotal::below_one},
     {"sparsemax", "sparsemax", "max(0, z − τ), τ = (Σ of the support − 1) ÷ its size", "1, with exact zeros",
      "Martins, Astudillo 2016", RowTotal::one},
     {"sigmoid", "sigmoid", "σ(z − ln m), m the keys left", "any", "Ramapuram et al. 2024", RowTotal::any},
     {"relu", "ReLU ÷ m", "max(0, z) ÷ m, m the keys left", "any", "Wortsman et al. 2023", RowTotal::any},
     {"hard", "hard", "1 ÷ the ties at the largest, else 0", "1", "", RowTotal::one, true}}};
inline const WeightingText& weighting_text(Weighting weighting) {
  return kWeightings[static_cast<std::size_t>(weighting)];
}
// The first ones are a layer's choice; its softmax is hard at temperature 0.
inline constexpr std::size_t kLayerWeightings = 5;

// What the stages are made from and shown as.
struct ScoreRows {
  StageIndex scores = 0;  // h×n×m
  Axis rows = {}, columns = {};
  // Queries: rows are those of keys, columns those of queries. Heads: rows are pairs, columns heads.
  SoftmaxOver over = SoftmaxOver::keys;
  std::optional<StageIndex> mask = {};  // what hides cells of the scores
  EmptyRow empty_row = EmptyRow::zeros;
  // Between scores and weights are steps that have to be opened: of the scores less their maximum only what
  // is read, and the weights named by the whole.
  bool folded = false;
  // Steps of the graph that the stages belong to: row_max and shifted; exp; row_sum, threshold or keys_left;
  // weights.
  std::size_t maximum_step = Stage::kNoStep, exp_step = Stage::kNoStep, sum_step = Stage::kNoStep,
              weights_step = Stage::kNoStep;
};

// The stages of one; those that it has.
struct WeightingStages {
  Weighting weighting = Weighting::softmax;
  std::size_t part = 0;
  StageIndex weights = 0;
  std::optional<StageIndex> maximum = {};  // of each row; of softmax-1 c
  std::optional<StageIndex> shifted = {};  // scores less their row's maximum
  std::optional<StageIndex> shares = {};   // their exponentials
  std::optional<StageIndex> sum = {};
  std::optional<StageIndex> threshold = {};  // τ of the shifted scores
  std::optional<StageIndex> left = {};       // keys left

  // All of them, in the order of the graph.
  std::vector<StageIndex> all() const;
};

// Appends to the part that was begun last. Ids: row_max, shifted, exp, row_sum, threshold, keys_left,
// weights.
WeightingStages append_weighting(Graph& graph, Weighting weighting, const ScoreRows& rows);

}  // namespace attn
