// A file in memory without a copy of it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace attn {

// Smaller files are sooner copied than watched.
inline constexpr std::size_t kMappedFrom = std::size_t{16} << 20;

// The bytes of a file as they were when it was mapped, whatever becomes of it: it is leased from the system,
// which lets whoever wants to change it or cut it short wait until a thread here has taken a copy in its
// place. Renaming, replacing and removing it change nothing in any case.
class MappedFile {
 public:
  // Null where it is smaller than `least`, or cannot be had in this way: it is another user's, somebody is
  // writing to it, its file system knows no leases (networks), or this process may have so much memory and no
  // more (ulimit -v), which room for the copy would count against. Not for a process that forks and goes on
  // in the child: no thread watches there.
  static std::shared_ptr<const MappedFile> open(const std::string& path, std::size_t least = kMappedFrom);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const;
  // Whether they are the file's still; a copy otherwise.
  bool is_mapped() const;

 private:
  struct Lease;
  explicit MappedFile(std::unique_ptr<Lease> lease);
  std::unique_ptr<Lease> lease_;
};

}  // namespace attn
