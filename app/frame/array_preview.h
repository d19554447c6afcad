// A file of arrays that is to be opened: what its arrays were taken for, shown before anything is replaced.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/array_file.h"
#include "core/io/dump.h"

namespace attn {

// What a person has chosen in it so far.
struct ArrayChoices {
  std::vector<std::string> names = {};  // as DumpRequest has them
  std::size_t batch = 0;
  bool operator==(const ArrayChoices&) const = default;
};

struct ArrayPreview {
  bool open = false;
  bool reading = false;  // what follows from another choice is on its way
  std::string path, format;
  std::vector<ListedArray> arrays = {};  // of the file, read or not
  ArrayChoices choices = {};
  std::shared_ptr<const Dump> dump = {};  // what comes of them; null: nothing, as `error` says
  std::string error = {};
  std::string line = {};  // of a shell, that makes an .npz of a file that is not read
};

}  // namespace attn
