// A zip writer that can lie: every number of a member can be set apart from its data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn::tests {

struct FakeMember {
  std::string name;
  std::vector<std::byte> data;  // as it lies in the file
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;                            // inflated, as the directory says
  bool zip64 = false;                                // sizes and offset in an extra field
  std::optional<std::uint64_t> stored_size, offset;  // instead of the true ones
};

// An honest stored member.
FakeMember stored(std::string name, std::vector<std::byte> bytes);

// An honest deflated member.
FakeMember deflated(std::string name, const std::vector<std::byte>& bytes);

// Raw deflate.
std::vector<std::byte> deflate(const std::vector<std::byte>& bytes);

struct FakeZip {
  std::vector<FakeMember> members;
  bool zip64_end = false;
  std::string comment = {};
};

std::vector<std::byte> build(const FakeZip& zip);

// The local header of a member, and its data.
std::vector<std::byte> local_part(const FakeMember& member);

}  // namespace attn::tests
