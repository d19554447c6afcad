// NumPy's .npy: one array. Versions 1 to 3, C and Fortran order, either byte order, bool, i1–i8, u1–u8,
// f2–f8.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"

namespace attn {

// T is float for everything the program reads, double for golden numbers.
template <class T>
struct BasicArray {
  std::vector<std::size_t> shape;  // empty for a 0-d array
  std::vector<T> values;           // row-major (C order), whatever the file's order was
  // In place of the values: the numbers where they lie in the file, and what keeps them there.
  std::span<const T> mapped = {};
  std::shared_ptr<const void> keeper = {};
  std::shared_ptr<const TensorOrigin> origin = {};  // of a large one, where its reader asked for that

  std::span<const T> numbers() const { return keeper ? mapped : std::span<const T>(values); }
};

using Array = BasicArray<float>;
using Array64 = BasicArray<double>;

// The longest header, magic and length field included; NumPy itself refuses more than 10,000 bytes of text.
inline constexpr std::size_t kMaximumNpyHeader = 65536;

// What the start of a file says about the rest of it.
struct NpyHeader {
  // 'b' bool, 'i' signed, 'u' unsigned, 'f' floating point; 'h' bfloat16, which .npy has not
  char kind = 'f';
  std::size_t item_size = 4;  // bytes of one number
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t count = 0;        // numbers: the product of the shape, at most limits::kMostNumbers
  std::size_t data_offset = 0;  // where the numbers start

  std::size_t file_size() const { return data_offset + count * item_size; }
};

// `start` is the first kMaximumNpyHeader bytes, or the whole file where that is shorter.
// Throws Error with the reason ("object arrays are not supported: …").
NpyHeader parse_npy_header(std::span<const std::byte> start);

// Of a whole file, whose size has to be as it says.
NpyHeader checked_npy_header(std::span<const std::byte> file);

// Fills all of `bytes` with those that come next, or throws Error.
using ByteSource = std::function<void(std::span<std::byte> bytes)>;

// What a number becomes: rounded to T (larger ones to ±∞), or 1 where it is not 0, NaN and the smallest too.
enum class NumberAs { rounded, truth };

// The numbers behind a header, which `source` gives piece by piece: no second copy of them is made. 64-bit
// integers beyond 2^53 are rounded to double first. Instances: float, double.
template <class T>
BasicArray<T> read_npy(const NpyHeader& header, const ByteSource& source, NumberAs as = NumberAs::rounded);

// The numbers where they lie behind the header, if those are the very bytes that T has in C order and begin
// at a multiple of its size; none otherwise. `data`: the bytes behind the header.
template <class T>
std::optional<std::span<const T>> numbers_in_place(const NpyHeader& header, std::span<const std::byte> data);

// A whole file. Throws Error with the reason.
template <class T>
BasicArray<T> parse_npy(std::span<const std::byte> bytes);

// What stands before the numbers of an array, float32 or of another type that is named as NumPy does, version
// 1, C order: padded so that they start at a multiple of 64.
std::vector<std::byte> npy_header(std::span<const std::size_t> shape, std::string_view type = "<f4");
// The whole array.
std::vector<std::byte> write_npy(std::span<const std::size_t> shape, std::span<const float> values);
std::vector<std::byte> write_npy64(std::span<const std::size_t> shape, std::span<const double> values);

// "5×4" for messages; "one number" for a 0-d array.
std::string shape_text(std::span<const std::size_t> shape);

}  // namespace attn
