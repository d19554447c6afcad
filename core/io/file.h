// Whole files, in and out.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace attn {

// Throws Error(Fault::input) naming the file and the system's reason; refuses folders and files over 4 GiB.
std::vector<std::byte> read_file(const std::string& path);

// A file that appears whole or not at all: a temporary file in the same folder is written piece by piece;
// commit() syncs it, renames it over `path` and syncs the folder. Without commit() it is removed and the old
// file is untouched. Throws Error(Fault::output) with the system's reason.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  std::string path_, target_, temporary_;
  int file_ = -1;
};

// A whole file. Atomic: a temporary file in the same folder, written, synced, renamed over `path`, folder
// synced. On any error the old file is untouched, nothing is left behind, and Error(Fault::output) says why.
void write_file(const std::string& path, std::span<const std::byte> bytes);
void write_file(const std::string& path, const std::string& text);

}  // namespace attn
