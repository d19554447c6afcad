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

// Stored members dated 1980-01-01, so that the same members give the same bytes. Not deflated: at level 1
// that took 12 times as long as computing a layer's stages, and saved 8 % of them. Sizes, offsets and counts
// that the usual fields cannot hold go into zip64 fields, as NumPy writes and reads them. Contents begin at
// multiples of kAlignment, behind a field that readers skip, so that what is in them can be read where it is.
class ZipWriter {
 public:
  explicit ZipWriter(Sink sink) : sink_(std::move(sink)) {}

  // A member whose content is the pieces one after the other.
  void add(const std::string& name, std::span<const Bytes> pieces);
  // The directory; nothing may be added behind it.
  void finish();

  static constexpr std::size_t kAlignment = 64;  // as NumPy aligns within an array

  // Bytes that a member of this name and size takes at most, its entry in the directory included; one that
  // starts behind 4 GiB takes 12 more.
  static std::uint64_t member_size(const std::string& name, std::uint64_t content);

 private:
  void put(Bytes bytes);

  Sink sink_;
  std::uint64_t written_ = 0, members_ = 0;
  std::vector<std::byte> directory_;
};

}  // namespace attn
