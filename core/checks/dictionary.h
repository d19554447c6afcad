// Attention read as a dictionary: a query asks, every key answers with how well it matches, and the result is
// the mean of the values under the keys, weighted by the matches. Of one row of finished results.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/evaluate/results.h"

namespace attn {

struct DictionaryCard {
  std::size_t key = 0;
  double match = 0;  // the score that the weighting reads
  double weight = 0;
  bool masked = false;
  std::span<const float> value;  // the key's row of V, in the results
};

struct Dictionary {
  std::vector<DictionaryCard> cards = {};  // the largest weights first, ties in the order of keys
  std::size_t left_out = 0;                // keys without a card, and what they weigh together
  double left_out_weight = 0;
  std::size_t takers = 0;           // keys of all whose weight is not 0
  std::vector<double> result = {};  // Σ weight · value over all keys, one number for each column of V
  StageIndex scores = 0, weights = 0, values = 0;
  std::size_t head = 0, query = 0, value_head = 0;
};

// The weights that make a part's output: by which it mixes its values, after decay and chance where there is
// any; of a part that mixes none its weights.
std::optional<StageIndex> mixing_weights(const Graph& graph, std::size_t part);

// `weights`: a stage of a part that mixes values, by mixing_weights(); at most `most` cards. None where
// nothing is mixed, or not computed.
std::optional<Dictionary> dictionary_of(const Results& results, StageIndex weights, std::size_t head,
                                        std::size_t query, std::size_t most);

}  // namespace attn
