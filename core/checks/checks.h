// Checks: what must hold for finished results, whoever computed them. Pure functions of Results.
//
// Weights are checked by what their stage promises: what a row adds up to, and the scores and the mask that
// they were made from. Rows are queries, columns keys. A key is left for a query when the mask is 0 there and
// its score is not −∞.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/checks/mask_likeness.h"
#include "core/evaluate/results.h"

namespace attn {

// Sums of the rows of weights: 1 within 1e-6, or exactly 0 where no key is left and the layer's choice for
// such a row is zeros; from 0 to 1 within as much; or any number, as the weights promise. Weights that are
// rounded to a format may be off by as much more as its rounding explains (core/checks/checks_sums.h).
struct RowSums {
  RowTotal promised = RowTotal::one;
  double largest_deviation = 0;  // from that; ∞ for a sum that is NaN
  double sum = 1;                // of that row
  double least = 1, most = 1;    // of all rows with a key
  Cell where;                    // its first cell
  std::size_t rows_without_key = 0;
  Cell first_without_key;
  bool holds() const { return largest_deviation <= 1e-6; }
};

// Weight given to keys that the mask hides: must be exactly 0.
struct MaskedWeight {
  double total = 0;    // Σ |weight| over masked cells
  double largest = 0;  // NaN counts as ∞
  std::size_t cells = 0;
  Cell where;
  float weight = 0;  // there
  bool holds() const { return largest == 0; }
};

// NaN and ∞ of one stage. A −∞ that stands for "masked" is none: in masked where the mask is 1, in a bias and
// what is made from it, in the maximum of a row with no key left. A stage that is rounded has them as
// rounded; its first one is the first that overflowed there, where one did.
struct StageFaults {
  StageIndex stage = 0;
  std::size_t nan = 0, infinite = 0;
  Cell first;
};

// H = −Σ a·ln a over a row, in nats, with 0·ln 0 = 0: 0 when one key has everything, ln(keys left) when all
// share equally.
struct Entropy {
  double nats = 0, maximum = 0;
};

// How far the rows that have a choice, at least two keys left, have gone towards one key.
struct RowSaturation {
  std::size_t rows = 0;       // that have a choice
  double largest_weight = 0;  // of all these
  double gap = 0;  // in its row, from the best score to the second: 1 − weight ≤ (m − 1)·e^−gap
  Cell where;
  std::size_t collapsed = 0;  // rows with less than a hundredth of the entropy they could have
  Cell first_collapsed;
};

// Where attention gathers: a key that takes more than half of all weight of a head, of at least three keys.
struct AttentionSink {
  std::size_t head = 0, key = 0;
  double share = 0;
  Cell where;  // its largest weight
};

// Keys after their own place that the layer's causal rule lets queries see.
struct KeysAhead {
  std::size_t keys = 0;  // so many of a query
  Cell first = {};       // in the first head, where no other rule hides it
};

// Of one stage of weights.
struct SoftmaxChecks {
  StageIndex weights = 0;
  RowSums row_sums = {};
  MaskedWeight masked_weight = {};  // 0 without a mask
  std::vector<MaskedWeight> masked_in_heads = {};
  std::optional<KeysAhead> ahead = {};
  std::vector<Entropy> heads = {};  // mean over the queries of each head; none where rows are no shares of 1
  RowSaturation saturation = {};
  std::vector<AttentionSink> sinks = {};  // by head
  std::vector<Strongest> strongest = {};  // of each head, of weights that are not kept
};

// A matrix of the user's mask that is one of the rules, or nearly.
struct MaskCheck {
  StageIndex stage = 0;  // that shows what the mask hides; its cell is of a head that the matrix is for
  MaskLikeness like = {};
};

struct Checks {
  std::vector<SoftmaxChecks> softmaxes;  // in graph order
  std::vector<StageFaults> faults;       // in graph order; empty: all numbers are finite
  std::vector<MaskCheck> masks = {};     // of each matrix of a user's mask that is near to a rule
  // Of a layer whose rows are looked at one after another (BandChecks): how far that is; else 0 of 0.
  std::size_t rows_seen = 0, rows = 0;

  const SoftmaxChecks* of(StageIndex weights) const {  // null when there are no such weights
    for (const SoftmaxChecks& s : softmaxes)
      if (s.weights == weights) return &s;
    return nullptr;
  }
};

Checks check(const Results& results);
// Asks `give_up` before each row; nothing when it says yes.
std::optional<Checks> check(const Results& results, const std::function<bool()>& give_up);

// Of one row of weights; 0 where `weights` is none, or was not computed.
std::size_t keys_left(const Results& results, StageIndex weights, std::size_t head, std::size_t query);
double row_sum(const Results& results, StageIndex weights, std::size_t head, std::size_t query);
Entropy row_entropy(const Results& results, StageIndex weights, std::size_t head, std::size_t query);
// Of the weights' cells: head, query, key.
bool is_masked(const Results& results, StageIndex weights, Cell cell);

}  // namespace attn
