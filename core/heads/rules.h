// What kind of head it is, by rules: how much of its weight lies where, against chance.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

// In the order of kHeadRules and of the patterns.
enum class HeadKind { previous, first, itself, induction, nearby, broad };

// A head has the name of the first group's rule that it exceeds most, else of the second's, in their order.
// All but the last are about the share of a row's weight on some keys. How far a share is above chance is
// (share − chance) ÷ (1 − chance), chance being what equal weights on all visible keys would give: 0 as equal
// weights, 1 with all weight there. So a rule means the same with 4 tokens and with 400, masked or not.
struct HeadRule {
  std::string_view title;  // "previous token"
  std::string_view word;   // the same where there is no room
  std::string_view says;   // which keys, in words
  double least;            // above chance, or of the largest entropy: where the name begins
  std::string_view why;    // it begins there
  bool general;            // of the second group: it holds for many heads of the first one too
};
inline constexpr std::array<HeadRule, 6> kHeadRules{
    {{"previous token", "prev", "on the token before the query", 0.5,
      "most of what equal weights do not explain", false},
     {"first token", "first", "on the first token", 0.5, "likewise", false},
     {"itself", "self", "on the query's own token", 0.5, "likewise", false},
     {"induction", "ind.", "on what followed an earlier token like the query's", 0.7,
      "few rows have one: noise of three rows is at 0.5 now and then", false},
     {"nearby", "near", "on tokens near the query", 0.7, "near tokens are many: noise reaches 0.5", true},
     {"broad", "wide", "entropy, of the largest there can be", 0.85,
      "scores of standard deviation 1.5 at random stay below", true}}};
inline constexpr std::size_t kPatterns = 5;  // the rules about a share

// The keys of each pattern as zeros and ones, kPatterns×n×m. Query i stands at key i + (m − n), the keys
// before the first query being a cache's. `same`: queries and keys are the same tokens; else only the first
// token is known. `tokens`: of the keys; without them there is no induction: on keys behind an earlier token
// of the query's word (prefix matching, Olsson et al. 2022). `nearby`: tokens at most so far away.
Tensor head_patterns(std::size_t queries, std::size_t keys, std::size_t nearby, bool same,
                     const Labels& tokens);

// What is known of one head: means over the rows that can tell, those with a visible key in the pattern and
// one outside it.
struct HeadFigures {
  std::array<double, kPatterns> share{}, chance{};
  std::array<std::size_t, kPatterns> rows{};  // that the means are of
  double entropy = 0;                         // mean of all rows, in nats
  double most_entropy = 0;                    // that mean with equal weights
  double of_most = 0;                         // mean of the share, of rows that see several keys
  std::size_t broad_rows = 0;
};
// `shares`: h×n×kPatterns (PatternShare of the weights), `chance`: of equal weights on the visible keys, 1 or
// h matrices of them; `entropy` and `most`: h×n×1, of both. `head` < h.
HeadFigures head_figures(const Tensor& shares, const Tensor& chance, const Tensor& entropy,
                         const Tensor& most, std::size_t head);

struct HeadName {
  std::optional<HeadKind> kind;  // none: no rule fits
  double number = 0;             // the share, or the part of the largest entropy, that named it
};
HeadName name_of(const HeadFigures& figures);
// "previous token", "no rule fits"; in a word "prev", "none".
std::string_view title_of(const HeadName& name);
std::string_view word_of(const HeadName& name);

// Heads by what they are most like: from head 0 on, next to each the one that is most like it among those
// left (greedy; of ties the lower number). `likeness`: 1×h×h.
std::vector<std::size_t> order_by_likeness(const Tensor& likeness);

}  // namespace attn
