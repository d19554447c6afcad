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

// Of arrays this large it is said which file they are from: 4 MiB of floats.
inline constexpr std::size_t kNumbersNamed = std::size_t{1} << 20;

// The file that bytes are of.
struct ArraySource {
  std::string path = {};  // its full path; empty: nobody asks
  // Keeps the bytes where they are: arrays may lie there. May be null.
  std::shared_ptr<const void> keeper = {};
};

// Name (without ".npy") to array; the numbers of the one named `truth` as 0 and 1. Throws Error naming the
// array and the reason. Bytes are untrusted: names never become paths, members must not overlap, sizes are
// capped by what each header implies, and of the numbers there is no copy but the one that is returned.
// Instances: float, double.
template <class T>
std::map<std::string, BasicArray<T>> parse_npz(std::span<const std::byte> bytes, std::string_view truth = {},
                                               const ArraySource& source = {});
// The whole of an .npy, in the same way, with its origin.
Array parse_npy_in_place(std::span<const std::byte> bytes, const ArraySource& source);
// One of an archive with its origin, without reading the others; none where there is none of this name.
std::optional<Array> parse_npz_array(std::span<const std::byte> bytes, const std::string& name,
                                     std::string_view truth, const ArraySource& source);

// One array after the other, stored: the same arrays give the same bytes.
class NpzWriter {
 public:
  explicit NpzWriter(Sink sink, RoomSink later = {}) : zip_(std::move(sink), std::move(later)) {}

  // A float32 array of this shape; its numbers are those of the pieces one after the other.
  void add(const std::string& name, std::span<const std::size_t> shape,
           std::span<const std::span<const float>> pieces);
  // One whose numbers come later (ZipWriter::leave_room): some of each matrix, its last two axes, at a time,
  // from the first of it to the last.
  class Room {
    friend NpzWriter;
    ZipWriter::Room member = {};
    std::uint64_t numbers = 0;  // where they begin
    std::size_t matrix = 0;     // numbers of one
    std::uint32_t header_crc = 0;
    std::vector<std::size_t> filled = {};  // numbers, by matrix
    std::vector<std::uint32_t> crcs = {};  // of those
  };
  Room leave_room(const std::string& name, std::span<const std::size_t> shape);
  void fill(Room& room, std::size_t matrix, std::span<const float> numbers) const;
  void close_room(const Room& room);
  void finish() { zip_.finish(); }

  // Bytes that an array takes in the file.
  static std::uint64_t array_size(const std::string& name, std::span<const std::size_t> shape);

 private:
  ZipWriter zip_;
};

// The whole file, of arrays in the form of .npy.
std::vector<std::byte> write_npz(std::span<const std::pair<std::string, std::vector<std::byte>>> npy_members);

}  // namespace attn
