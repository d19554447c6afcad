// What content is known by: 128 bits that differ where it does, as far as chance goes. No defence against
// whoever makes two files alike on purpose.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace attn {

// Of bytes that come in pieces, however they are cut. Several bytes a clock.
class ContentHash {
 public:
  void add(std::span<const std::byte> bytes);
  std::string text() const;  // 32 hexadecimal digits

 private:
  static constexpr std::size_t kLanes = 4, kBlock = kLanes * sizeof(std::uint64_t);
  void mix(const std::byte* block);

  std::array<std::uint64_t, kLanes> lanes_{1, 2, 3, 4};
  std::array<std::byte, kBlock> rest_{};  // what fills no block yet
  std::size_t waiting_ = 0;               // bytes of it
  std::uint64_t size_ = 0;
};

std::string content_hash(std::span<const std::byte> bytes);

}  // namespace attn
