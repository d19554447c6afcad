// How a layer tells its tokens where they stand: one choice of many, each with its own settings.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "core/operations/offset.h"
#include "core/operations/rotary.h"

namespace attn {

struct NoPosition {
  bool operator==(const NoPosition&) const = default;
};

// Sines and cosines added to X.
struct Sinusoidal {
  double base = 10000;
  bool operator==(const Sinusoidal&) const = default;
};

// Rows of a table added to X.
struct Learned {
  std::uint64_t seed = 0;
  std::size_t length = 512;  // L_max: positions from here on have no row
  bool operator==(const Learned&) const = default;
};

// Slopes times distances, subtracted from the scores.
struct Alibi {
  bool operator==(const Alibi&) const = default;
};

// Learned vectors for clipped offsets, added to the keys as each query sees them; to the values too if so.
struct Relative {
  std::size_t clip = 4;
  std::uint64_t seed = 0;
  bool values = false;
  bool operator==(const Relative&) const = default;
};

// A learned number for each head and bucket of offsets, added to the scores.
struct T5Bias {
  std::size_t buckets = 32, max_distance = 128;
  std::uint64_t seed = 0;
  bool causal = false;
  bool operator==(const T5Bias&) const = default;
};

// Its fields, and all that is said about them, are listed in position_fields.h.
using Position = std::variant<NoPosition, Sinusoidal, Learned, Rotary, Alibi, Relative, T5Bias>;

// Whether it is added to X: a layer whose Q, K and V are given has none.
bool is_added(const Position& position);

// Standard deviations of what is drawn in place of what training would find: rows of a learned table are as
// long as sinusoidal ones, √(d/2), and so are relative vectors; T5's numbers are those of ordinary scores.
inline constexpr double kLearnedSd = 0.70710678118654752, kRelativeSd = kLearnedSd, kBucketSd = 1;

// Nearest settings that features of this width can take, where these cannot; none when nothing is wrong.
std::optional<Position> repaired(const Position& position, std::size_t width);

}  // namespace attn
