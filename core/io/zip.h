// Zip files that are read: the central directory and the members' bytes.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attn {

class Inflater;

// Bytes of a local header and of an entry of the directory, before names and extras.
inline constexpr std::size_t kZipLocalSize = 30, kZipEntrySize = 46;

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

// Throws Error unless a stored member has its checksum.
void check_stored(const ZipMember& member);

// The bytes of a member in order, unpacked as they are taken and checked on the way.
class ZipReader {
 public:
  // The member and its file outlive it.
  explicit ZipReader(const ZipMember& member);
  ~ZipReader();
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;

  // Throws Error when so little data cannot unpack to as much as the directory promises.
  void check_size() const;
  // The next bytes, as many as fit; fewer only at the end, or where the data is damaged.
  std::size_t read(std::span<std::byte> out);
  // Throws Error unless these were all the bytes that the directory promises, and the data ends with them and
  // has its checksum.
  void finish();

 private:
  [[noreturn]] void refuse() const;

  const ZipMember& member_;
  std::unique_ptr<Inflater> inflater_;  // null: it is stored
  std::size_t taken_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace attn
