// Each format's own reader, behind one list of arrays.
#include "core/io/array_file.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/io/file_kind.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/io/table_file.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

// Lets the others go.
void keep_wanted(ArrayFile& file, const WantedArrays& wanted) {
  if (!wanted) return;
  const std::vector<std::string> names = wanted(file.arrays);
  std::erase_if(file.numbers, [&](const auto& array) { return std::ranges::count(names, array.first) == 0; });
}

ArrayFile of_archive(const FileBytes& bytes, const std::string& path, const WantedArrays& wanted) {
  ArrayFile file{"npz", {}, parse_npz<float>(bytes.get(), kTruthArray, {path, bytes.mapping()})};
  for (const auto& [name, array] : file.numbers) file.arrays.push_back({name, "", array.shape, {}});
  keep_wanted(file, wanted);
  return file;
}

ArrayFile of_one(std::string format, const std::string& name, Array array, const WantedArrays& wanted) {
  ArrayFile file{std::move(format), {{name, "", array.shape, {}}}, {}};
  file.numbers.emplace(name, std::move(array));
  keep_wanted(file, wanted);
  return file;
}

// One that stays in its file has its origin, so that a session can name it.
Array of_npy(const FileBytes& bytes, const std::string& path) {
  return bytes.mapping() ? parse_npy_in_place(bytes.get(), {path, bytes.mapping()})
                         : parse_npy<float>(bytes.get());
}

ArrayFile of_safetensors(const std::string& path, const WantedArrays& wanted) {
  const FilePieces pieces = pieces_of_file(path);
  std::vector<SafeTensor> tensors = list_safetensors(pieces);
  ArrayFile file{"safetensors", {}, {}};
  for (const SafeTensor& tensor : tensors)
    file.arrays.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.refusal});
  if (wanted) {
    const std::vector<std::string> names = wanted(file.arrays);
    std::erase_if(tensors,
                  [&](const SafeTensor& tensor) { return std::ranges::count(names, tensor.name) == 0; });
  }
  std::erase_if(tensors, [](const SafeTensor& tensor) { return !tensor.refusal.empty(); });
  file.numbers = read_safetensors(pieces, tensors);
  return file;
}

std::vector<std::byte> start_of(const std::string& path) {
  FileReader file(path);
  std::vector<std::byte> start(std::size_t{64} << 10);
  start.resize(file.read(start));
  return start;
}

std::optional<ArrayFile> read_kind(FileKind kind, const std::string& path, const WantedArrays& wanted,
                                   bool mapped) {
  const std::string name = std::filesystem::path(path).stem().string();
  const std::string full_path = std::filesystem::absolute(path).string();
  switch (kind) {
    case FileKind::npz:
      return of_archive(FileBytes(path, mapped), full_path, wanted);
    case FileKind::npy:
      return of_one("npy", name, of_npy(FileBytes(path, mapped), full_path), wanted);
    case FileKind::safetensors:
      return of_safetensors(path, wanted);
    case FileKind::text: {
      const std::vector<std::byte> bytes = read_file(path);
      TableFile table = parse_table_file(as_text(bytes));
      return of_one(table.understood, name, std::move(table.matrix), wanted);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

WantedArrays wanted_arrays(const DumpRequest& request) {
  return [request](const std::vector<ListedArray>& arrays) {
    std::vector<std::string> names;
    for (const ListedArray& array : arrays) names.push_back(array.name);
    return arrays_to_read(names, request);
  };
}

bool names_an_array(const std::string& path) {
  const std::vector<std::string> name{std::filesystem::path(path).stem().string()};
  return !arrays_to_read(name).empty();
}

std::optional<ArrayFile> read_array_file(const std::string& path, const WantedArrays& wanted, bool mapped) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  try {
    const std::vector<std::byte> start = start_of(path);
    const FileKind kind = kind_of(start, path);
    if (const std::string refusal = refusal_of(kind, start, path); !refusal.empty()) throw Error(refusal);
    return read_kind(kind, path, wanted, mapped);
  } catch (const Error& error) {
    const std::string text = error.what();
    throw Error(text.starts_with(path) ? text : path + ": " + text, Fault::input);
  }
}

}  // namespace attn
