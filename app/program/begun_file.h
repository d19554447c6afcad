// A file and its first piece, which says what it is; the rest as it is wanted.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/program/input.h"
#include "core/document/limits.h"
#include "core/io/text_source.h"
#include "core/system/file.h"
#include "core/system/mapped_file.h"

namespace attn {

struct BegunFile {
  explicit BegunFile(const std::string& path);
  // Nothing where it is no ordinary file.
  static std::optional<BegunFile> begin(const std::string& path);

  // What has its list at its end, or is packed: read whole, which takes little of the time.
  void read_rest(const ProgressCallback& progress, std::size_t most = limits::kMostPackedBytes);
  // The same of an archive whose numbers may stay where they are.
  std::span<const std::byte> whole_archive(const ProgressCallback& progress, FileUse use);
  // The text, which the file outlives.
  TextSource text(const ProgressCallback& progress);
  // Of all that was read.
  FileMark mark() const;

  std::string path;
  std::unique_ptr<FileReader> file;
  std::vector<std::byte> bytes;
  std::shared_ptr<const MappedFile> mapped = {};  // in place of the bytes
};

}  // namespace attn
