// NumPy's .npy: one array. Versions 1 to 3, C and Fortran order, either byte order, bool, i1–i8, u1–u8,
// f2–f8.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace attn {

struct Array {
  std::vector<std::size_t> shape;  // empty for a 0-d array
  std::vector<double> values;      // row-major (C order), whatever the file's order was
};

// The most numbers that one file may hold (1 GiB as double): the header of a hostile file may promise
// anything.
inline constexpr std::size_t kMaximumNumbers = std::size_t{1} << 27;

// The longest header, magic and length field included; NumPy itself refuses more than 10,000 bytes of text.
inline constexpr std::size_t kMaximumNpyHeader = 65536;

// What the start of a file says about the rest of it.
struct NpyHeader {
  char kind = 'f';            // 'b' bool, 'i' signed, 'u' unsigned, 'f' floating point
  std::size_t item_size = 4;  // bytes of one number
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t count = 0;        // numbers: the product of the shape, at most kMaximumNumbers
  std::size_t data_offset = 0;  // where the numbers start

  std::size_t file_size() const { return data_offset + count * item_size; }
};

// `start` is the first kMaximumNpyHeader bytes, or the whole file where that is shorter.
// Throws Error with the reason ("object arrays are not supported: …").
NpyHeader parse_npy_header(std::span<const std::byte> start);

// Throws Error with the reason. Bytes are untrusted: nothing is allocated that the bytes don't fill.
// 64-bit integers beyond 2^53 are rounded to double.
Array parse_npy(std::span<const std::byte> bytes);

// What stands before the numbers of a float32 array, version 1, C order: padded so that they start at a
// multiple of 64.
std::vector<std::byte> npy_header(std::span<const std::size_t> shape);
// The whole array.
std::vector<std::byte> write_npy(std::span<const std::size_t> shape, std::span<const float> values);

// "5×4" for messages; "one number" for a 0-d array.
std::string shape_text(std::span<const std::size_t> shape);

}  // namespace attn
