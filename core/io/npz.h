// NumPy's .npz: a zip file of named .npy arrays, stored or deflated.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/npy.h"
#include "core/io/zip_write.h"

namespace attn {

// Name (without ".npy") to array; the numbers of the one named `truth` as 0 and 1. Throws Error naming the
// array and the reason. Bytes are untrusted: names never become paths, members must not overlap, sizes are
// capped by what each header implies, and of the numbers there is no copy but the one that is returned.
// Instances: float, double.
template <class T>
std::map<std::string, BasicArray<T>> parse_npz(std::span<const std::byte> bytes, std::string_view truth = {});

// One array after the other, stored: the same arrays give the same bytes.
class NpzWriter {
 public:
  explicit NpzWriter(Sink sink) : zip_(std::move(sink)) {}

  // A float32 array of this shape; its numbers are those of the pieces one after the other.
  void add(const std::string& name, std::span<const std::size_t> shape,
           std::span<const std::span<const float>> pieces);
  void finish() { zip_.finish(); }

  // Bytes that an array takes in the file.
  static std::uint64_t array_size(const std::string& name, std::span<const std::size_t> shape);

 private:
  ZipWriter zip_;
};

// The whole file, of arrays in the form of .npy.
std::vector<std::byte> write_npz(std::span<const std::pair<std::string, std::vector<std::byte>>> npy_members);

}  // namespace attn
