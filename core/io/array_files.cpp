// Files as ArrayFiles holds them.
#include "core/io/array_files.h"

#include "core/io/layer_npz.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/bytes.h"

namespace attn {

FileBytes::FileBytes(const std::string& path, bool mapped)
    : mapped_(mapped ? MappedFile::open(path) : nullptr) {
  if (!mapped_) copied_ = read_file(path);
}

Array ArrayFiles::read(const std::string& path, const std::string& name) {
  auto found = files_.find(path);
  if (found == files_.end()) found = files_.try_emplace(path, path, mapped_).first;
  const Bytes bytes = found->second.get();
  const ArraySource source{path, found->second.mapping()};
  if (name.empty()) return parse_npy_in_place(bytes, source);
  if (auto array = parse_npz_array(bytes, name, kTruthArray, source)) return std::move(*array);
  throw Error("there is no array " + in_quotes(name) + " in it");
}

}  // namespace attn
