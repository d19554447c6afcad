// Local headers, the directory and its zip64 forms. A member's size and checksum are known before its first
// byte is written, so nothing is patched afterwards and the sink may be a pipe.
#include "core/io/zip_write.h"

#include <zlib.h>

#include <algorithm>

#include "core/io/zip.h"

namespace attn {
namespace {

// Versions that a reader needs (2.0; 4.5 for zip64), flag 11 for names in UTF-8, and 1 January 1980, as early
// as the format's dates go. Signatures are those of zip.cpp.
constexpr std::uint16_t kVersion = 20, kZip64Version = 45, kUtf8 = 1 << 11, kStored = 0, kTime = 0;
constexpr std::uint16_t kDate = (1 << 5) | 1, kZip64Extra = 1;
// "Android alignment", as zipalign writes it: the alignment, then zeros.
constexpr std::uint16_t kAlignmentExtra = 0xd935;
constexpr std::size_t kFewestAligning = 6;
constexpr std::uint32_t kLocal = 0x04034b50, kEntry = 0x02014b50, kEndRecord = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50, kLocator64 = 0x07064b50, kNone = 0xffffffff;

std::uint32_t crc_of(std::span<const Bytes> pieces) {
  std::uint32_t crc = 0;
  for (const Bytes piece : pieces) crc = crc32_of(piece, crc);
  return crc;
}

// The largest number itself means "see the zip64 field".
bool fits(std::uint64_t value) {
  return value < kNone;
}

std::uint32_t field(std::uint64_t value) {
  return fits(value) ? static_cast<std::uint32_t>(value) : kNone;
}

// The numbers that did not fit, in the order that the format asks for.
std::vector<std::byte> zip64_extra(std::initializer_list<std::uint64_t> numbers) {
  std::vector<std::byte> extra;
  if (numbers.size() == 0) return extra;
  append_little(extra, kZip64Extra);
  append_little(extra, static_cast<std::uint16_t>(8 * numbers.size()));
  for (const std::uint64_t n : numbers) append_little(extra, n);
  return extra;
}

// In front of a content that would begin at `at`.
std::vector<std::byte> aligning_extra(std::uint64_t at) {
  constexpr std::uint64_t kUnit = ZipWriter::kAlignment;
  std::vector<std::byte> extra;
  if (at % kUnit == 0) return extra;
  append_little(extra, kAlignmentExtra);
  const std::uint64_t size = kFewestAligning + (kUnit - (at + kFewestAligning) % kUnit) % kUnit;
  append_little(extra, static_cast<std::uint16_t>(size - 4));
  append_little(extra, static_cast<std::uint16_t>(kUnit));
  extra.resize(size);
  return extra;
}

// What a local header and a directory entry share.
std::vector<std::byte> common(std::uint32_t crc, std::uint64_t size, const std::string& name,
                              std::size_t extra, bool zip64) {
  std::vector<std::byte> bytes;
  const std::uint16_t version = zip64 ? kZip64Version : kVersion;
  for (const std::uint16_t f : {version, kUtf8, kStored, kTime, kDate}) append_little(bytes, f);
  append_little(bytes, crc);
  append_little(bytes, field(size));  // stored
  append_little(bytes, field(size));  // unpacked
  append_little(bytes, static_cast<std::uint16_t>(name.size()));
  append_little(bytes, static_cast<std::uint16_t>(extra));
  return bytes;
}

}  // namespace

void ZipWriter::put(Bytes bytes) {
  sink_(bytes);
  written_ += bytes.size();
}

// The local header, and the entry of the directory.
ZipWriter::Room ZipWriter::begin(const std::string& name, std::uint64_t size, std::uint32_t crc) {
  const std::uint64_t offset = written_;
  auto local_extra = fits(size) ? zip64_extra({}) : zip64_extra({size, size});
  append(local_extra, aligning_extra(offset + kZipLocalSize + name.size() + local_extra.size()));
  std::vector<std::byte> header;
  append_little(header, kLocal);
  append(header, common(crc, size, name, local_extra.size(), !fits(size)));
  append(header, name);
  append(header, local_extra);
  put(header);

  const Room room{.header = offset, .content = written_, .entry = directory_.size()};
  const auto extra = fits(size)     ? fits(offset) ? zip64_extra({}) : zip64_extra({offset})
                         : fits(offset) ? zip64_extra({size, size})
                                    : zip64_extra({size, size, offset});
  append_little(directory_, kEntry);
  append_little(directory_, extra.empty() ? kVersion : kZip64Version);
  append(directory_, common(crc, size, name, extra.size(), !extra.empty()));
  for (int i = 0; i < 3; ++i) append_little(directory_, std::uint16_t{0});  // comment, disk, kind of content
  append_little(directory_, std::uint32_t{0});                              // attributes
  append_little(directory_, field(offset));
  append(directory_, name);
  append(directory_, extra);
  ++members_;
  return room;
}

void ZipWriter::add(const std::string& name, std::span<const Bytes> pieces) {
  std::uint64_t size = 0;
  for (const Bytes piece : pieces) size += piece.size();
  begin(name, size, crc_of(pieces));
  for (const Bytes piece : pieces) put(piece);
}

ZipWriter::Room ZipWriter::leave_room(const std::string& name, std::uint64_t size) {
  const Room room = begin(name, size, 0);
  later_.skip(size);
  written_ += size;
  return room;
}

void ZipWriter::close_room(const Room& room, std::uint32_t crc) {
  constexpr std::size_t kInHeader = 14, kInEntry = 16;  // where the checksum stands
  std::vector<std::byte> bytes;
  append_little(bytes, crc);
  later_.write_at(room.header + kInHeader, bytes);
  std::ranges::copy(bytes, directory_.begin() + static_cast<std::ptrdiff_t>(room.entry + kInEntry));
}

std::uint32_t joined_crc32(std::uint32_t first, std::uint32_t second, std::uint64_t size_of_second) {
  return static_cast<std::uint32_t>(crc32_combine(first, second, static_cast<z_off_t>(size_of_second)));
}

void ZipWriter::finish() {
  constexpr std::uint16_t kMany = 0xffff;
  const std::uint64_t offset = written_, size = directory_.size();
  std::vector<std::byte> end;
  if (members_ >= kMany || !fits(offset) || !fits(size)) {
    append_little(end, kEnd64);
    append_little(end, std::uint64_t{44});  // bytes of this record that follow
    for (int i = 0; i < 2; ++i) append_little(end, kZip64Version);
    for (int i = 0; i < 2; ++i) append_little(end, std::uint32_t{0});  // disks
    for (const std::uint64_t n : {members_, members_, size, offset}) append_little(end, n);
    append_little(end, kLocator64);
    append_little(end, std::uint32_t{0});
    append_little(end, offset + size);
    append_little(end, std::uint32_t{1});
  }
  const auto members = static_cast<std::uint16_t>(members_ < kMany ? members_ : kMany);
  append_little(end, kEndRecord);
  append_little(end, std::uint32_t{0});  // disks
  for (int i = 0; i < 2; ++i) append_little(end, members);
  append_little(end, field(size));
  append_little(end, field(offset));
  append_little(end, std::uint16_t{0});  // no comment
  put(directory_);
  put(end);
}

std::uint64_t ZipWriter::member_size(const std::string& name, std::uint64_t content) {
  constexpr std::uint64_t kExtras = 20 + 28;  // two numbers in the local header, at most three in the entry
  return kZipLocalSize + kZipEntrySize + 2 * name.size() + content + (fits(content) ? 0 : kExtras) +
         kFewestAligning + kAlignment - 1;
}

}  // namespace attn
