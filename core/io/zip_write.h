// Zip files written member after member, without a second copy of what is in them.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/text/bytes.h"

namespace attn {

// Where bytes go, in order: a file, or memory.
using Sink = std::function<void(Bytes)>;

// Of a file that is filled in any order: room is left in it, counted in bytes, and filled at a place.
struct RoomSink {
  std::function<void(std::uint64_t)> skip = {};
  std::function<void(std::uint64_t, Bytes)> write_at = {};
};

// Stored members dated 1980-01-01, so that the same members give the same bytes. Not deflated: at level 1
// that took 12 times as long as computing a layer's stages, and saved 8 % of them. Sizes, offsets and counts
// that the usual fields cannot hold go into zip64 fields, as NumPy writes and reads them. Contents begin at
// multiples of kAlignment, behind a field that readers skip, so that what is in them can be read where it is.
class ZipWriter {
 public:
  explicit ZipWriter(Sink sink, RoomSink later = {}) : sink_(std::move(sink)), later_(std::move(later)) {}

  // A member whose content is the pieces one after the other.
  void add(const std::string& name, std::span<const Bytes> pieces);
  // Room for one whose content comes later: where it begins. Needs a RoomSink.
  struct Room {
    std::uint64_t header = 0, content = 0;
    std::size_t entry = 0;  // in the directory
  };
  Room leave_room(const std::string& name, std::uint64_t size);
  void fill(std::uint64_t place, Bytes bytes) const { later_.write_at(place, bytes); }
  // When all of the content is there, before finish().
  void close_room(const Room& room, std::uint32_t crc);
  // The directory; nothing may be added behind it.
  void finish();

  static constexpr std::size_t kAlignment = 64;  // as NumPy aligns within an array

  // Bytes that a member of this name and size takes at most, its entry in the directory included; one that
  // starts behind 4 GiB takes 12 more.
  static std::uint64_t member_size(const std::string& name, std::uint64_t content);

 private:
  void put(Bytes bytes);
  Room begin(const std::string& name, std::uint64_t size, std::uint32_t crc);

  Sink sink_;
  RoomSink later_;
  std::uint64_t written_ = 0, members_ = 0;
  std::vector<std::byte> directory_;
};

// The checksum of two contents one behind the other, of their own ones.
std::uint32_t joined_crc32(std::uint32_t first, std::uint32_t second, std::uint64_t size_of_second);

}  // namespace attn
