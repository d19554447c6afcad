// Arrays of files by their names: each file is read once, whoever asks.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/io/npz.h"
#include "core/system/mapped_file.h"

namespace attn {

// A file's bytes: where they lie where that is wanted and safe (core/system/mapped_file.h), or a copy.
class FileBytes {
 public:
  // Throws Error(Fault::input).
  FileBytes(const std::string& path, bool mapped);
  std::span<const std::byte> get() const { return mapped_ ? mapped_->bytes() : copied_; }
  // Null: they are a copy.
  const std::shared_ptr<const MappedFile>& mapping() const { return mapped_; }

 private:
  std::shared_ptr<const MappedFile> mapped_;
  std::vector<std::byte> copied_;
};

class ArrayFiles {
 public:
  explicit ArrayFiles(bool mapped) : mapped_(mapped) {}

  // That of this name of an .npz; of an .npy the one that it is, which has no name. With its origin, however
  // small it is. Throws Error with the reason.
  Array read(const std::string& path, const std::string& name);

 private:
  bool mapped_;
  std::map<std::string, FileBytes> files_;
};

}  // namespace attn
