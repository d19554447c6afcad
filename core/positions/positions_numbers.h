// Numbers about encodings beside the graph's, in double: wavelengths, similarities by offset, what a shift
// moves, and whether scores depend on the offset alone.
#pragma once

#include <optional>
#include <vector>

#include "core/positions/positions.h"
#include "core/tensor.h"

namespace attn {

// Radians a position of each pair of features; empty for encodings without pairs.
std::vector<double> pair_frequencies(const Position& position, std::size_t width);
// The pair that a dimension belongs to; none: it turns with no other.
std::optional<std::size_t> pair_of(const Position& position, std::size_t width, std::size_t dimension);

// ⟨row p, row j⟩ ÷ ⟨row p, row p⟩ for every row j.
std::vector<float> similarity_to(const Tensor& rows, std::size_t p);
// The same by offset from −reach to reach for encodings that act on scores: of RoPE one query and key of the
// content, q·R_Δk ÷ q·k's size; of biases 1 + bias in a head.
std::vector<float> score_by_offset(const PositionsSpec& spec, const Position& position, std::size_t head,
                                   std::size_t reach);

// The largest |R_Δ·PE[p] − PE[p+Δ]| over all pairs.
double shift_residual(const Position& position, std::size_t width, std::size_t p, std::ptrdiff_t delta);

// The largest change of a score from one pair of tokens to the next of the same offset, with one query and
// one key at every position: 0 but for rounding where scores depend on the offset alone. `keys`: the keys'
// encoding, where it is not the queries'.
double unevenness(const PositionsSpec& spec, const Position& position,
                  const std::optional<Position>& keys = std::nullopt);

// The largest change of a score of the content when every position moves by `shift`; none: there are no rows.
std::optional<double> moved_by_shift(const PositionsSpec& spec, const Position& position, std::size_t shift);

}  // namespace attn
