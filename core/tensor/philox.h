// Philox 4×32-10, a counter-based generator: every block of four numbers is a function of a key and a counter
// alone, so that it can be had anywhere, in any order, with the same bits on every machine and device.
#pragma once

#include <array>
#include <cstdint>

namespace attn {

// Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3", section 3.3.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// Four numbers from N(0, 1) of a block: Box and Muller (1958), the first two from the first two words. A word
// becomes (its upper 23 bits + ½)·2^−23, which a float holds exactly and which is never 0.
std::array<double, 4> philox_normals(const std::array<std::uint32_t, 4>& words);

}  // namespace attn
