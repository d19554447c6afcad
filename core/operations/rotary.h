// Rotary position encoding (RoPE): pairs of features turned by an angle that grows with the position (Su et
// al. 2021, section 3.2).
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Which features make pair i of the w that are turned.
enum class Pairing {
  neighbour,  // 2i and 2i+1, as the paper has it
  half,       // i and i + w/2
};

// What is done beyond the training length L, for texts s times as long.
enum class Stretch {
  none,
  interpolation,  // angles of p/s (Chen et al. 2023, equation 4)
  ntk,            // base·s^(w/(w−2)): "NTK-aware", the slowest pair reaches s times as far
  yarn,           // slow pairs as in interpolation, fast ones as they are (Peng et al. 2023, definition 3)
  yarn_released,  // as its authors' program has it, and model files mean: by the number of the pair
  llama3,         // by the share of L that a pair's wavelength is, as Llama 3.1 has it
};

// Pair i of the w turned features turns by θ_i a position, θ_i = base^(−2i/w) before it is stretched.
struct Rotary {
  Pairing pairing = Pairing::neighbour;
  double base = 10000;
  std::size_t part = 0;  // w: how many features of a head are turned, from the first on; 0: all
  Stretch stretch = Stretch::none;
  double factor = 1;           // s
  std::size_t trained = 2048;  // L, which YaRN and Llama 3 need to know
  bool operator==(const Rotary&) const = default;

  std::size_t turned(std::size_t width) const { return part == 0 ? width : part; }
};

// θ_i as stretched, radians a position; `turned` is w.
double rotary_frequency(const Rotary& rotary, std::size_t turned, std::size_t pair);
// What turned features are multiplied by: YaRN's 0.1·ln s + 1, else 1.
double rotary_gain(const Rotary& rotary);

// Throws Error, saying what would do, unless features of this width can be turned so.
void check_rotary(const Rotary& rotary, std::size_t width);

// Y[s,p] = R(p)·X[s,p] for every row of S×n×d; the features behind the turned ones stay as they are. `heads`:
// the turned ones are so many heads side by side, each turned as if it were alone, in pairs of neighbours.
// Row 0 is position `first`. Positions enter in double: as floats their angles would be off by 0.004 at p =
// 65,536.
struct Rotate {
  static constexpr const char* kName = "rotate";
  Rotary rotary;
  std::size_t first = 0;
  bool back = false;  // turned by −p instead, with the same gain: what flows back through it
  std::size_t heads = 1;
  bool operator==(const Rotate&) const = default;
};

// By how much a pair of the `turned` features turns from one position to the next, radians.
double turn_of(const Rotate& op, std::size_t turned, std::size_t pair);

// The pair that a column belongs to.
struct RotaryPair {
  std::size_t pair = 0, x = 0, y = 0;  // the columns of its two features
};
RotaryPair rotary_pair(Pairing pairing, std::size_t turned, std::size_t column);

}  // namespace attn
