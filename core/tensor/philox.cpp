// The rounds of Philox, as its paper has them; shaders/random.cl repeats them bit for bit. Sessions keep
// seeds, so they may never change.
#include "core/tensor/philox.h"

#include <cmath>
#include <numbers>

namespace attn {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return counter;
}

std::array<double, 4> philox_normals(const std::array<std::uint32_t, 4>& words) {
  const auto unit = [&](std::size_t i) { return ((words[i] >> 9) + 0.5) * 0x1p-23; };
  std::array<double, 4> normals{};
  for (std::size_t i = 0; i < 4; i += 2) {
    const double radius = std::sqrt(-2 * std::log(unit(i))), angle = 2 * std::numbers::pi * unit(i + 1);
    normals[i] = radius * std::cos(angle), normals[i + 1] = radius * std::sin(angle);
  }
  return normals;
}

}  // namespace attn
