// PositionsSpec: what the workspace of positions shows: encodings side by side, and the same content under
// each. A plain value.
#pragma once

#include <optional>
#include <vector>

#include "core/attention/position.h"

namespace attn {

// Its fields, and all that is said about them, are listed in fields.h.
struct PositionsSpec {
  // Each kind once. The first is the one shown large, the others are compared with it.
  std::vector<Position> encodings{Sinusoidal(), Rotary(), Alibi(), Learned{.seed = 7}, NoPosition()};
  std::size_t length = 64, width = 32;                   // positions, features
  std::size_t trained = 48;                              // L_max: where learned tables end, and training did
  std::vector<std::size_t> dimensions{0, 6, 7, 14, 24};  // drawn as curves; ascending
  std::size_t shift = 0;                                 // of every position, in the scores
  std::size_t reach = 96;                                // how far keys are, beyond the training length
  std::size_t tokens = 12, heads = 8;                    // of the content that the scores are made of
  std::uint64_t seed = 1;                                // which content

  bool operator==(const PositionsSpec& other) const = default;
};

// The encoding as this workspace uses it: tables and stretches know the training length, and RoPE turns as
// many features of the width as are pairs.
Position fitted(const Position& position, const PositionsSpec& spec);

// The pairs that turn from position to position, as RoPE has them: of the shown encoding, else of the first
// that has any.
std::optional<Rotary> turning_pairs(const PositionsSpec& spec);

// Of the keys, in the test that mixes them.
Pairing other_pairing(Pairing pairing);

// Another kind shown large: in place of the one that was, or, where it is compared already, changed with it.
void show_encoding(PositionsSpec& spec, std::size_t kind);
// A dimension drawn as a curve; again is no change.
void draw_dimension(PositionsSpec& spec, std::size_t dimension);
// A kind compared with the shown one, or no more.
void toggle_encoding(PositionsSpec& spec, std::size_t kind);
bool has_encoding(const PositionsSpec& spec, std::size_t kind);

}  // namespace attn
