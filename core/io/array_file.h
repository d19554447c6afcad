// Files of arrays, whatever their format: which arrays are in one, and the numbers of those that are wanted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/io/array_files.h"
#include "core/io/dump.h"

namespace attn {

struct ListedArray {
  std::string name;
  std::string type;  // as the file writes it: "<f4", "BF16", "text"
  std::vector<std::size_t> shape;
  std::string refusal = {};  // why its numbers cannot be read; empty: they can
};

struct ArrayFile {
  std::string format;  // "safetensors", for a person
  std::vector<ListedArray> arrays;
  NamedArrays numbers;  // of those that were wanted
};

// Of all arrays of a file those that are wanted, by their names.
using WantedArrays = std::function<std::vector<std::string>(const std::vector<ListedArray>&)>;

// Those that read_dump has a use for (core/io/dump.h).
WantedArrays wanted_arrays(const DumpRequest& request);
// Whether a file of one array is named for what it is: "weights.npy".
bool names_an_array(const std::string& path);

// An .npz, an .npy (its array is named as the file is, without the ending), .safetensors, or a table of text
// (likewise; what its header says is not kept). `wanted`: names of those that are read; all where it is
// empty. None of any other input. Throws Error(Fault::input) naming the file, the place and the reason, as of
// kinds of file that are refused (core/io/file_kind.h).
std::optional<ArrayFile> read_array_file(const std::string& path, const WantedArrays& wanted = {},
                                         bool mapped = false);

}  // namespace attn
