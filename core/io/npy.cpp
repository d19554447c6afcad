// Numbers of every type are put together byte by byte, whatever this machine's order, become doubles and then
// what is kept of them, in C order; written are float32 alone.
#include "core/io/npy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/system/error.h"
#include "core/text/bytes.h"

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
  // bfloat16 is the upper half of a float.
  if constexpr (sizeof(Unsigned) == 2)
    return kind == 'h' ? std::bit_cast<float>(std::uint32_t{bits} << 16) : half_to_double(bits);
  if constexpr (sizeof(Unsigned) == 4) return static_cast<double>(std::bit_cast<float>(bits));
  if constexpr (sizeof(Unsigned) == 8) return std::bit_cast<double>(bits);
  return 0;  // there is no one-byte floating point: the header refuses it
}

template <class Unsigned, class Take>
void decode(const NpyHeader& header, Bytes data, Take take) {
  for (std::size_t at = 0; at < data.size(); at += sizeof(Unsigned))
    take(number(header.kind,
                header.big_endian ? load_big<Unsigned>(data, at) : load_little<Unsigned>(data, at)));
}

// Calls take(double) for every number in the order of the file.
template <class Take>
void each_number(const NpyHeader& header, const ByteSource& source, Take take) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::size_t left = header.count * header.item_size;
  for (std::vector<std::byte> piece(std::min(kPiece, left)); left > 0; left -= piece.size()) {
    piece.resize(std::min(piece.size(), left));
    source(piece);
    switch (header.item_size) {
      case 1:
        decode<std::uint8_t>(header, piece, take);
        break;
      case 2:
        decode<std::uint16_t>(header, piece, take);
        break;
      case 4:
        decode<std::uint32_t>(header, piece, take);
        break;
      default:
        decode<std::uint64_t>(header, piece, take);
    }
  }
}

// Fortran order has the first index run fastest; ours the last. `index` counts up in theirs, like an
// odometer; steps[d] places on in ours lies the next number of dimension d.
class FortranPlaces {
 public:
  explicit FortranPlaces(std::span<const std::size_t> shape)
      : shape_(shape), steps_(shape.size(), 1), index_(shape.size()) {
    for (std::size_t d = shape.size(); d-- > 1;) steps_[d - 1] = steps_[d] * shape[d];
  }
  // Of the next number of the file.
  std::size_t next() {
    const std::size_t place = place_;
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      place_ += steps_[d];
      if (++index_[d] < shape_[d]) break;
      place_ -= steps_[d] * shape_[d];
      index_[d] = 0;
    }
    return place;
  }

 private:
  std::span<const std::size_t> shape_;
  std::vector<std::size_t> steps_, index_;
  std::size_t place_ = 0;
};

template <class T>
T kept(double value, NumberAs as) {
  if (as == NumberAs::truth) return value != 0 ? T{1} : T{0};
  return static_cast<T>(value);
}

// The file has them as this machine does.
template <class T>
bool is_as_here(const NpyHeader& header) {
  return std::endian::native == std::endian::little && header.kind == 'f' && header.item_size == sizeof(T) &&
         !header.big_endian && !(header.fortran_order && header.shape.size() > 1);
}

}  // namespace

template <class T>
std::optional<std::span<const T>> numbers_in_place(const NpyHeader& header, Bytes data) {
  if (!is_as_here<T>(header) || reinterpret_cast<std::uintptr_t>(data.data()) % alignof(T) != 0)
    return std::nullopt;
  return std::span(reinterpret_cast<const T*>(data.data()), header.count);
}
template std::optional<std::span<const float>> numbers_in_place(const NpyHeader&, Bytes);
template std::optional<std::span<const double>> numbers_in_place(const NpyHeader&, Bytes);

template <class T>
BasicArray<T> read_npy(const NpyHeader& header, const ByteSource& source, NumberAs as) {
  BasicArray<T> array{header.shape, {}};
  if (as == NumberAs::rounded && is_as_here<T>(header)) {
    array.values.resize(header.count);
    source(std::as_writable_bytes(std::span(array.values)));
  } else if (header.fortran_order && header.shape.size() > 1) {
    array.values.resize(header.count);
    FortranPlaces places(header.shape);
    each_number(header, source, [&](double value) { array.values[places.next()] = kept<T>(value, as); });
  } else {
    array.values.reserve(header.count);
    each_number(header, source, [&](double value) { array.values.push_back(kept<T>(value, as)); });
  }
  return array;
}
template Array read_npy<float>(const NpyHeader&, const ByteSource&, NumberAs);
template Array64 read_npy<double>(const NpyHeader&, const ByteSource&, NumberAs);

NpyHeader checked_npy_header(Bytes file) {
  NpyHeader header = parse_npy_header(file.first(std::min(file.size(), kMaximumNpyHeader)));
  if (file.size() != header.file_size())
    throw Error("its header promises " + std::to_string(header.file_size()) + " bytes, but there are " +
                std::to_string(file.size()));
  return header;
}

template <class T>
BasicArray<T> parse_npy(Bytes bytes) {
  const NpyHeader header = checked_npy_header(bytes);
  Bytes data = bytes.subspan(header.data_offset);
  return read_npy<T>(header, [&](std::span<std::byte> piece) {
    std::ranges::copy(data.first(piece.size()), piece.begin());
    data = data.subspan(piece.size());
  });
}
template Array parse_npy<float>(Bytes);
template Array64 parse_npy<double>(Bytes);

std::vector<std::byte> npy_header(std::span<const std::size_t> shape, std::string_view type) {
  std::string sizes;
  for (const std::size_t size : shape) sizes += std::to_string(size) + ", ";
  // A tuple of one keeps its comma, as Python writes it.
  if (!sizes.empty()) sizes.resize(sizes.size() - (shape.size() == 1 ? 1 : 2));
  std::string text =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
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

std::vector<std::byte> write_npy64(std::span<const std::size_t> shape, std::span<const double> values) {
  std::vector<std::byte> bytes = npy_header(shape, "<f8");
  bytes.reserve(bytes.size() + values.size_bytes());
  for (const double value : values) append_little(bytes, std::bit_cast<std::uint64_t>(value));
  return bytes;
}

}  // namespace attn
