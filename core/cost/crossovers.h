// Where one cost overtakes another as tokens are added, how far memory reaches, and what the next token
// takes.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/cost/count.h"

namespace attn {

// The shape with another number of tokens, none of them past.
CostSpec with_tokens(CostSpec spec, std::size_t n);

struct Crossover {
  std::string_view name;     // "attention_projections"
  std::string_view title;    // "attention = Q K V W_O"
  std::string_view formula;  // of full attention without shared heads, with a feed-forward of 4d: "2d"
  std::string_view against;  // what of measure_subjects() full attention is measured against
  // The least n from which on the first takes as many operations as the second or more: of the products of
  // matrices alone, as the formula has it, and of everything that is counted. None up to kMostCostTokens.
  std::optional<std::size_t> n, n_of_all;
};

// Attention (scores to weights·V) against the projections, and against all the rest; full against linear.
std::vector<Crossover> crossovers(const CostSpec& spec);

// The least n up to kMostCostTokens from which on `reached` holds, where it holds from there on.
std::optional<std::size_t> least_tokens(const std::function<bool(std::size_t)>& reached);

// The most tokens of which one layer's attention holds no more than so many bytes at once; 0 where one is too
// many, and never more than kMostCostTokens.
std::size_t longest_within(const CostSpec& spec, Count bytes);

// Whether keys and values of past tokens, or the state, are kept. Without, every token is computed again:
// what the next layer needs of it, too.
enum class KeyCache { kept, none };
// One layer that makes the token after `past` others.
CostSpec decoding(CostSpec spec, std::size_t past, KeyCache cache);

}  // namespace attn
