// Linear attention: φ(Q)·(φ(K)ᵀV) ÷ φ(Q)·Σφ(K), whose past is a state of a fixed size.
#pragma once

#include <vector>

#include "core/operations/mask_rules.h"
#include "core/operations/traits.h"

namespace attn {

// Inputs φ(Q) (h×n×r), φ(K) (g×m×r), V (g×m×c), each of the g shared by consecutive heads. Result
// h×n×(c + 1): the outputs, and behind them in each row what they were divided by, z = φ(q)·Σφ(k) over the
// keys that the query sees. A key that it does not see has no part in it whatever it holds, NaN too. A query
// that sees no key has output 0; one whose z is 0 though it sees some has none: NaN.
// Devices sum states in float, by parts of the keys, and carry them on: beyond 3.4·10^38 they are not finite
// there. The reference sums over pairs.
struct LinearAttention {
  static constexpr const char* kName = "linear_attention";
  std::vector<MaskTerm> masks = {};  // each leaves a query its first keys, no fewer to later ones
  std::ptrdiff_t first = 0;          // the place of query 0
  bool operator==(const LinearAttention&) const = default;
};

// The state that a recurrent network would carry after the first `keys` keys: inputs φ(K) (g×m×r), V (g×m×c),
// result g×r×(c + 1), Σ φ(k)vᵀ and behind it Σ φ(k).
struct LinearState {
  static constexpr const char* kName = "linear_state";
  std::size_t keys = 0;
  bool operator==(const LinearState&) const = default;
};

enum class LinearSide { queries, keys };

// The way back. Inputs: those of the way there, its result, and the gradient dO of its outputs (h×n×c).
// Result, of the queries, h×n×r: dφ(Q); of the keys g×m×(r + c): dφ(K) and behind it dV, summed over the
// heads that share them. Through a query without output passes exactly 0; where its outputs or dO are not
// finite NaN.
struct LinearGradient {
  static constexpr const char* kName = "linear_gradient";
  LinearAttention forward = {};
  LinearSide of = LinearSide::queries;
  bool operator==(const LinearGradient&) const = default;
};

// Whether the rules are causal ones and paddings of one length, joined by OR: each query sees its first keys.
bool leaves_first_keys(const std::vector<MaskTerm>& masks);
// How many of them.
std::size_t keys_seen(const LinearAttention& op, std::size_t query, std::size_t queries, std::size_t keys);

}  // namespace attn
