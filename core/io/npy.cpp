// Numbers of every type are put together byte by byte, whatever this machine's order, and become doubles in C
// order; written are float32 alone.
#include "core/io/npy.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "core/io/bytes.h"

namespace attn {
namespace {

// IEEE binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits. Every value is exact in double. With the
// fraction as a whole number, subnormal ones count in 2^-24; others add a hidden 1024 and count in
// 2^(exponent − 15 − 10).
double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double magnitude = 0;
  if (exponent == 31)
    magnitude =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  return std::copysign(magnitude, (bits & 0x8000) != 0 ? -1.0 : 1.0);
}

// The number whose bits are the unsigned integer `bits`.
template <class Unsigned>
double number(char kind, Unsigned bits) {
  if (kind == 'b') return bits != 0 ? 1 : 0;
  if (kind == 'i') return static_cast<double>(static_cast<std::make_signed_t<Unsigned>>(bits));
  if (kind == 'u') return static_cast<double>(bits);
  if constexpr (sizeof(Unsigned) == 2) return half_to_double(bits);
  if constexpr (sizeof(Unsigned) == 4) return static_cast<double>(std::bit_cast<float>(bits));
  if constexpr (sizeof(Unsigned) == 8) return std::bit_cast<double>(bits);
  return 0;  // there is no one-byte floating point: the header refuses it
}

template <class Unsigned>
void read_numbers(const NpyHeader& header, Bytes data, std::vector<double>& values) {
  for (std::size_t i = 0; i < header.count; ++i) {
    const std::size_t at = i * sizeof(Unsigned);
    values[i] = number(header.kind,
                       header.big_endian ? load_big<Unsigned>(data, at) : load_little<Unsigned>(data, at));
  }
}

// Fortran order has the first index run fastest; ours the last. `index` counts up in ours, like an odometer,
// and is looked up in the other.
std::vector<double> to_c_order(std::span<const std::size_t> shape, const std::vector<double>& fortran) {
  std::vector<double> values(fortran.size());
  std::vector<std::size_t> index(shape.size());
  for (double& value : values) {
    std::size_t at = 0;
    for (std::size_t d = shape.size(); d-- > 0;) at = at * shape[d] + index[d];
    value = fortran[at];
    for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];) index[d] = 0;
  }
  return values;
}

}  // namespace

Array parse_npy(Bytes bytes) {
  NpyHeader header = parse_npy_header(bytes.first(std::min(bytes.size(), kMaximumNpyHeader)));
  if (bytes.size() != header.file_size())
    throw Error("its header promises " + std::to_string(header.file_size()) + " bytes, but there are " +
                std::to_string(bytes.size()));
  const Bytes data = bytes.subspan(header.data_offset);
  std::vector<double> values(header.count);
  switch (header.item_size) {
    case 1:
      read_numbers<std::uint8_t>(header, data, values);
      break;
    case 2:
      read_numbers<std::uint16_t>(header, data, values);
      break;
    case 4:
      read_numbers<std::uint32_t>(header, data, values);
      break;
    default:
      read_numbers<std::uint64_t>(header, data, values);
  }
  if (header.fortran_order && header.shape.size() > 1) values = to_c_order(header.shape, values);
  return {std::move(header.shape), std::move(values)};
}

std::vector<std::byte> npy_header(std::span<const std::size_t> shape) {
  std::string sizes;
  for (const std::size_t size : shape) sizes += std::to_string(size) + ", ";
  // A tuple of one keeps its comma, as Python writes it.
  if (!sizes.empty()) sizes.resize(sizes.size() - (shape.size() == 1 ? 1 : 2));
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + sizes + "), }";
  // Magic, version and length field; the text is padded, as NumPy's is, so that the numbers are aligned.
  constexpr std::size_t kStart = 10, kAlignment = 64;
  text.append((kAlignment - (kStart + text.size() + 1) % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::vector<std::byte> bytes;
  append(bytes, std::string_view("\x93NUMPY\x01\x00", 8));
  append_little(bytes, static_cast<std::uint16_t>(text.size()));
  append(bytes, text);
  return bytes;
}

std::vector<std::byte> write_npy(std::span<const std::size_t> shape, std::span<const float> values) {
  std::vector<std::byte> bytes = npy_header(shape);
  bytes.reserve(bytes.size() + values.size_bytes());
  for (const float value : values) append_little(bytes, std::bit_cast<std::uint32_t>(value));
  return bytes;
}

}  // namespace attn
