// Pieces of files, whole files, and files in place.
#include "app/program/begun_file.h"

#include <filesystem>
#include <utility>

#include "core/system/content_hash.h"
#include "core/text/bytes.h"

namespace attn {

BegunFile::BegunFile(const std::string& name)
    : path(name), file(std::make_unique<FileReader>(name)), bytes(kTextPiece) {
  bytes.resize(file->read(bytes));
}

std::optional<BegunFile> BegunFile::begin(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  return BegunFile(path);
}

void BegunFile::read_rest(const ProgressCallback& progress, std::size_t most) {
  file->read_rest(bytes, most, [&] { go_on(progress, 0); });
}

std::span<const std::byte> BegunFile::whole_archive(const ProgressCallback& progress, FileUse use) {
  if (use == FileUse::mapped) mapped = MappedFile::open(path);
  if (mapped) return mapped->bytes();
  read_rest(progress);
  return bytes;
}

TextSource BegunFile::text(const ProgressCallback& progress) {
  return [this, progress, first = true]() mutable {
    go_on(progress, file->done());
    if (!std::exchange(first, false)) {
      bytes.resize(kTextPiece);
      bytes.resize(file->read(bytes));
    }
    return as_text(bytes);
  };
}

FileMark BegunFile::mark() const {
  return mapped ? FileMark{mapped->bytes().size(), content_hash(mapped->bytes())} : file->mark();
}

}  // namespace attn
