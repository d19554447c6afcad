// Seeds of random documents and hands: fixed, so that what passed once passes again; moved when
// ATTENTION_LAB_SEED says by how much, which tests/run --soak does.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace attn::tests {

inline std::uint32_t seed(std::uint32_t fixed) {
  const char* moved = std::getenv("ATTENTION_LAB_SEED");
  return fixed + (moved ? 2654435769u * static_cast<std::uint32_t>(std::strtoul(moved, nullptr, 10)) : 0);
}

}  // namespace attn::tests
