// Four lanes side by side, each mixed as XXH64 mixes its own (github.com/Cyan4973/xxHash, doc/
// xxhash_spec.md), and folded twice at the end.
#include "core/system/content_hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace attn {
namespace {

constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87u, kPrime2 = 0xc2b2ae3d27d4eb4fu,
                        kPrime3 = 0x165667b19e3779f9u;

std::uint64_t avalanche(std::uint64_t x) {
  x = (x ^ (x >> 33)) * kPrime2;
  x = (x ^ (x >> 29)) * kPrime3;
  return x ^ (x >> 32);
}

}  // namespace

void ContentHash::mix(const std::byte* block) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, block + i * sizeof word, sizeof word);
    lanes_[i] = std::rotl(lanes_[i] + word * kPrime2, 31) * kPrime1;
  }
}

void ContentHash::add(std::span<const std::byte> bytes) {
  size_ += bytes.size();
  if (waiting_ > 0) {
    const std::size_t taken = std::min(kBlock - waiting_, bytes.size());
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(waiting_));
    waiting_ += taken;
    bytes = bytes.subspan(taken);
    if (waiting_ < kBlock) return;
    mix(rest_.data());
    waiting_ = 0;
  }
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) mix(bytes.data());
  std::ranges::copy(bytes, rest_.begin());
  waiting_ = bytes.size();
}

std::string ContentHash::text() const {
  ContentHash whole = *this;
  std::fill(whole.rest_.begin() + static_cast<std::ptrdiff_t>(waiting_), whole.rest_.end(), std::byte{0});
  whole.mix(whole.rest_.data());
  std::string digits;
  for (std::uint64_t half = size_; digits.size() < 32;) {
    for (const std::uint64_t lane : whole.lanes_) half = avalanche(half + lane) * kPrime1;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(half >> shift) & 15];
  }
  return digits;
}

std::string content_hash(std::span<const std::byte> bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.text();
}

}  // namespace attn
