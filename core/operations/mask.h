// Masks: one boolean matrix (1 = masked away), and what masked scores become.
#pragma once

#include <array>
#include <vector>

#include "core/operations/mask_rules.h"
#include "core/operations/traits.h"

namespace attn {

// What its rules make together, as 0 or 1. Input (optional): the user's own mask, S×n×m, nonzero = masked
// (NaN too), whatever the rules say. Result: S×n×m, or 1×n×m without a user's mask.
struct Mask {
  static constexpr const char* kName = "mask";
  std::size_t queries = 0, keys = 0;
  std::vector<MaskTerm> rules = {};
  std::ptrdiff_t first = 0;  // the place of query 0
  RowRange made = {};        // rows of it that are made; none: all. The user's mask has those then.

  bool operator==(const Mask&) const = default;
  RowRange rows() const { return made.count == 0 ? RowRange{0, queries} : made; }
  // Of a row that is made.
  MaskPlace place(std::size_t row, std::size_t key = 0) const {
    return {queries, keys, made.first + row, key, first};
  }
};

// −65504 is the lowest number of float16.
enum class Fill {
  negative_infinity,
  minus_1e9,
  minus_1e6,
  add_minus_1e9,
  minus_65504,
  add_negative_infinity,
  add_minus_1e6,
  add_minus_65504,
  add_one,  // a mask of 0 and 1 that is added as it is
  zero,     // of weights, after the softmax: no choice of a layer's
};
// Those of scores.
inline constexpr std::array kFills{Fill::negative_infinity,
                                   Fill::minus_1e9,
                                   Fill::minus_1e6,
                                   Fill::minus_65504,
                                   Fill::add_negative_infinity,
                                   Fill::add_minus_1e9,
                                   Fill::add_minus_1e6,
                                   Fill::add_minus_65504,
                                   Fill::add_one};
bool adds(Fill fill);
// The same number, added or in place of the score.
Fill fill_with(Fill fill, bool adds);

// Inputs: scores, or weights, h×n×m and mask, h×n×m or fewer matrices shared by consecutive heads. Masked
// scores are replaced by the fill value, or have it added.
struct MaskFill {
  static constexpr const char* kName = "mask_fill";
  Fill fill = Fill::negative_infinity;
  bool operator==(const MaskFill&) const = default;

  bool adds() const { return attn::adds(fill); }
  double value() const;  // what replaces, or is added to, a masked score
};

// The last key that query 0 sees, where the rules are a causal one and nothing else.
std::optional<long> causal_diagonal(const Mask& op);

}  // namespace attn
