// Zip files that are read: the central directory and the members' bytes.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace attn {

struct ZipMember {
  std::string name;  // as written, untrusted: a key and a word in messages, never a path
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::size_t size = 0;             // the inflated size that the directory promises
  std::span<const std::byte> data;  // as stored in the file
};

// The members in the order of the central directory; local headers only say where the data starts.
// Throws Error: not a zip, damaged, encrypted, in several parts, an unknown method, members that overlap.
std::vector<ZipMember> zip_members(std::span<const std::byte> file);

// The first `limit` bytes of the member, or all where it has fewer: what it takes to look at a header.
std::vector<std::byte> zip_start(const ZipMember& member, std::size_t limit);

// All `member.size` bytes: the caller has decided that so many are welcome. Throws Error when the data is
// damaged, unpacks to another number of bytes, or has another checksum than the directory says.
std::vector<std::byte> zip_bytes(const ZipMember& member);

}  // namespace attn
