// Whole files, in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/system/content_hash.h"
#include "core/system/file_mark.h"

namespace attn {

// A file is read up to this size.
inline constexpr std::size_t kMostFileBytes = std::size_t{4} << 30;

// A file from front to back. Throws Error(Fault::input) naming the file and the system's reason; refuses
// folders and files over 4 GiB.
class FileReader {
 public:
  explicit FileReader(const std::string& path);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  // The next bytes, as many as fit; fewer only at the end.
  std::size_t read(std::span<std::byte> out);
  // Appends all that is left. Refuses a file of more than `most` bytes, read or not. `between` is called
  // between two pieces, and may throw.
  void read_rest(std::vector<std::byte>& bytes, std::size_t most, const std::function<void()>& between = {});

  double done() const;  // which part was read, 0 … 1; 0 where nobody knows the size
  FileMark mark() const { return {read_, hash_.text()}; }  // of what was read: of the file, at its end

 private:
  std::string path_;
  int file_ = -1;
  std::size_t expected_ = 0, read_ = 0;
  ContentHash hash_;
};

std::vector<std::byte> read_file(const std::string& path);

// Who may read a new file, as far as the umask allows. One that is replaced keeps its permissions.
enum class Readers { everyone, owner };

class TemporaryFile;

// A file that appears whole or not at all: a temporary file in the same folder is written piece by piece;
// commit() syncs it, renames it over `path` and syncs the folder. Without commit() it is removed and the old
// file is untouched. A link is followed, also one to a file that is not there yet. Throws
// Error(Fault::output) with the system's reason.
class FileWriter {
 public:
  // Throws where nothing could be written, however little, or no file could bear the name.
  explicit FileWriter(const std::string& path, Readers readers = Readers::everyone);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // Throws where so many bytes could not be written: no room on the disk, or more than a file may have.
  void check_room(std::uint64_t bytes) const;
  // The disk is a part of the memory: what is written takes memory until it is removed.
  bool in_memory() const;

  void write(std::span<const std::byte> bytes);
  // Leaves room for so many bytes, which write_at() fills in any order.
  void skip(std::uint64_t bytes);
  void write_at(std::uint64_t place, std::span<const std::byte> bytes);
  // Nothing more will be written: what could still keep the file from appearing is told here.
  void finish();
  void commit();

 private:
  std::string path_, target_;
  std::unique_ptr<TemporaryFile> file_;
};

// Removes what killed programs began to write next to this file.
void remove_abandoned(const std::string& path);

// A whole file. Atomic: a temporary file in the same folder, written, synced, renamed over `path`, folder
// synced. On any error the old file is untouched, nothing is left behind, and Error(Fault::output) says why.
void write_file(const std::string& path, std::span<const std::byte> bytes,
                Readers readers = Readers::everyone);
void write_file(const std::string& path, const std::string& text, Readers readers = Readers::everyone);

// The folder and those above it; what is missing is made for its owner only. Throws Error(Fault::output).
void make_private_folder(const std::string& path);

}  // namespace attn
