// Decoding: rows put into a cache of keys or values, and attention of one new query over such caches.
#pragma once

#include <optional>

#include "core/operations/flash.h"

namespace attn {

// Inputs X (g×m×d), rows (g×r×d) and a place p (1×1×1). Result: X with its rows p … p + r − 1 replaced, of
// which those that X lacks are left out; with a place below 0, or none, X. A Program makes it in X where that
// is given to it and read by nothing else: a cache grows there by each run, and nothing but the rows is
// copied.
struct PutRows {
  static constexpr const char* kName = "put_rows";
  bool operator==(const PutRows&) const = default;
};

// Attention of one query a head, of the token at place p, to the keys 0 … p of a cache. Inputs Q (h×1×d), K
// (g×m×d), V (g×m×c), each of the g shared by consecutive heads, and p (1×1×1), as a number: a step sets it,
// and nothing else changes. At a place below 0, or none, no key is left; behind the last key it is the last
// one's. Result h×1×(c + 1): that of FlashAttention with these keys.
//
// Devices share the keys out among `splits` items or work-groups; each gives its largest score, its sum and
// its output, which are joined as tiles are.
struct CachedAttention {
  static constexpr const char* kName = "cached_attention";
  double scale = 1;
  double cap = 0;         // 0: none
  bool with_one = false;  // softmax-1
  bool alibi = false;
  std::optional<std::size_t> window = {};  // keys before its own that it sees at most
  std::size_t splits = 0;                  // of a device; 0: its own choice
  bool operator==(const CachedAttention&) const = default;
};

// Which of the inputs of both the place is.
inline constexpr std::size_t kPutPlace = 2, kCachedPlace = 3;

// Which of so many rows the place is; none: nowhere.
std::optional<std::size_t> row_at(double place, std::size_t rows);

// The same as flash attention, of its first three inputs.
FlashAttention as_flash(const CachedAttention& op, std::size_t keys, double place);

}  // namespace attn
