// Telling what is drawn in one frame from what is drawn in the next.
#pragma once

#include <cstdint>

namespace attn {

// `hash` with one more value behind what it stands for.
inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

}  // namespace attn
