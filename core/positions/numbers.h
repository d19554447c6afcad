// Numbers about encodings besides the graph's, in double: wavelengths, similarities by offset, what a shift
// moves, and whether scores depend on the offset alone.
#pragma once

#include <optional>
#include <vector>

#include "core/positions/part.h"
#include "core/tensor/tensor.h"

namespace attn {

// Radians a position of each pair of features; empty for encodings without pairs.
std::vector<double> pair_frequencies(const Position& position, std::size_t width);
// The pair that a dimension belongs to; none: it turns with no other.
std::optional<std::size_t> pair_of(const Position& position, std::size_t width, std::size_t dimension);

// ⟨row p, row j⟩ ÷ ⟨row p, row p⟩ for every row j.
std::vector<float> similarity_to(const Tensor& rows, std::size_t p);
// What an encoding that acts on scores makes of the same content by its offset from −reach to reach, 1 at 0:
// of RoPE q·R_Δq ÷ q·q of one query of the content; of biases 1 and what is added in a head more than at 0;
// of relative vectors the same of q·a ÷ q·q; without position 1.
std::vector<float> score_by_offset(const PositionsSpec& spec, const Position& position, std::size_t head,
                                   std::size_t reach);

// The largest |R_Δ·PE[p] − PE[p+Δ]| over all pairs.
double shift_residual(const Position& position, std::size_t width, std::size_t p, std::ptrdiff_t delta);

// What is said of each encoding, in double; as dear as the content is large, so it is kept while the spec is
// the same.
struct PositionsFacts {
  struct Encoding {
    // The largest change of a score from one pair of tokens to the next of the same offset, with one query
    // and one key at every position: 0 but for rounding where scores depend on the offset alone.
    double uneven = 0;
    // The largest change of a score of the content when every position moves by `shift`; none: there are no
    // rows.
    std::optional<double> moved = {};
    std::optional<double> mixed = {};  // RoPE's unevenness where the keys are turned in the other pairing
  };
  std::vector<Encoding> encodings = {};  // as PositionsSpec::encodings
  std::size_t shift = 0;                 // that `moved` is of: the spec's, else a usual one
};
// Where that encoding of `spec` is in `other`, which has the same content; none: nothing known of `other` is
// true of it.
std::optional<std::size_t> same_encoding(const PositionsSpec& spec, const Position& encoding,
                                         const PositionsSpec& other);
// What is known of another spec; taken over for the encodings that are the same.
struct KnownFacts {
  const PositionsSpec& spec;
  const PositionsFacts& facts;
};
PositionsFacts facts_of(const PositionsSpec& spec, const std::optional<KnownFacts>& known = {});

}  // namespace attn
