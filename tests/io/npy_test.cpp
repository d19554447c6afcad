// .npy files that NumPy wrote (make_fixtures.py), of every type, byte order and version, read to known
// numbers; headers damaged by hand refused; what we write has NumPy's own header.
#include "core/io/npy.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/text/bytes.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

using Sizes = std::vector<std::size_t>;
using Numbers = std::vector<double>;

// A version 1 file with this dictionary and this many zero bytes of data.
std::vector<std::byte> npy(const std::string& dictionary, std::size_t data_bytes) {
  std::vector<std::byte> bytes = bytes_of(std::string("\x93NUMPY\x01\x00", 8));
  append_little(bytes, static_cast<std::uint16_t>(dictionary.size()));
  append(bytes, dictionary);
  bytes.resize(bytes.size() + data_bytes);
  return bytes;
}

std::vector<std::byte> npy_of_shape(const std::string& shape, std::size_t data_bytes) {
  return npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }", data_bytes);
}

std::string npy_refusal(const std::vector<std::byte>& bytes) {
  return reason([&] { parse_npy<double>(bytes); });
}

Numbers counted(std::size_t count, double first = 0, double step = 1) {
  Numbers numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(first + step * static_cast<double>(i));
  return numbers;
}

TEST_CASE("integers of every width and both byte orders are read") {
  for (const char* name : {"i1.npy", "i2.npy", "i4.npy", "i8.npy", "big_endian_i4.npy"}) {
    CAPTURE(name);
    const Array64 array = parse_npy<double>(fixture(name));
    CHECK(array.shape == Sizes{2, 3});
    CHECK(array.values == counted(6, -3));
  }
  for (const char* name : {"u2.npy", "u4.npy", "u8.npy"}) {
    CAPTURE(name);
    CHECK(parse_npy<double>(fixture(name)).values == counted(6, 0, 60));
  }
  CHECK(parse_npy<double>(fixture("u1.npy")).values == counted(6, 250));
}

TEST_CASE("64-bit integers beyond 2^53 are rounded to double") {
  CHECK(parse_npy<double>(fixture("i8_extremes.npy")).values == Numbers{-0x1p63, 0x1p63, 0x1p53});
}

TEST_CASE("booleans are read as 0 and 1") {
  CHECK(parse_npy<double>(fixture("bool.npy")).values == Numbers{1, 0, 0, 1});
}

TEST_CASE("floats of every width and both byte orders keep infinities, NaN, -0 and subnormals") {
  for (const char* name :
       {"f2.npy", "f4.npy", "f8.npy", "big_endian_f2.npy", "big_endian_f4.npy", "big_endian_f8.npy"}) {
    CAPTURE(name);
    const Numbers values = parse_npy<double>(fixture(name)).values;
    REQUIRE(values.size() == 6);
    CHECK(values[0] == 1.5);
    CHECK(values[1] == 0);
    CHECK(std::signbit(values[1]));
    CHECK(values[2] == std::numeric_limits<double>::infinity());
    CHECK(values[3] == -std::numeric_limits<double>::infinity());
    CHECK(std::isnan(values[4]));
    const bool half = std::string(name).ends_with("f2.npy"), single = std::string(name).ends_with("f4.npy");
    CHECK(values[5] == (half ? 0x1p-24 : single ? static_cast<double>(6e-8f) : 6e-8));
  }
}

TEST_CASE("half floats cover their whole range") {
  std::vector<std::byte> bytes = npy("{'descr': '<f2', 'fortran_order': False, 'shape': (4,), }", 0);
  for (const std::uint16_t half : std::array<std::uint16_t, 4>{0x7bff, 0x0400, 0x03ff, 0xc000})
    append_little(bytes, half);
  CHECK(parse_npy<double>(bytes).values == Numbers{65504, 0x1p-14, 0x1p-14 - 0x1p-24, -2});
}

TEST_CASE("Fortran order becomes C order") {
  CHECK(parse_npy<double>(fixture("fortran_2d.npy")).values == counted(6));
  const Array64 stack = parse_npy<double>(fixture("fortran_3d_big_endian.npy"));
  CHECK(stack.shape == Sizes{2, 3, 4});
  CHECK(stack.values == counted(24));
}

TEST_CASE("arrays without dimensions and without numbers are read") {
  const Array64 scalar = parse_npy<double>(fixture("zero_d.npy"));
  CHECK(scalar.shape.empty());
  CHECK(scalar.values == Numbers{7.5});
  const Array64 empty = parse_npy<double>(fixture("empty.npy"));
  CHECK(empty.shape == Sizes{0, 3});
  CHECK(empty.values.empty());
}

TEST_CASE("format versions 1 to 3 are read and others refused") {
  for (const char* name : {"one_d.npy", "version_2.npy", "version_3.npy"})
    CHECK(parse_npy<double>(fixture(name)).values == counted(3));
  std::vector<std::byte> bytes = fixture("one_d.npy");
  for (const int version : {0, 4, 255}) {
    bytes[6] = static_cast<std::byte>(version);
    CHECK(mentions(npy_refusal(bytes), {"version", "not known"}));
  }
}

TEST_CASE("arrays of anything but numbers are refused with a reason") {
  CHECK(mentions(npy_refusal(fixture("object.npy")), {"object arrays are not supported"}));
  CHECK(mentions(npy_refusal(fixture("structured.npy")), {"structured arrays are not supported"}));
  CHECK(mentions(npy_refusal(fixture("text.npy")), {"text arrays are not supported"}));
  CHECK(mentions(npy_refusal(fixture("complex.npy")), {"complex numbers are not supported"}));
  CHECK(mentions(npy_refusal(fixture("date.npy")), {"dates and times are not supported"}));
  CHECK(mentions(npy_refusal(fixture("long_double.npy")), {"\"<f16\" is not supported"}));
}

TEST_CASE("a shape that promises more than there is is refused before anything is allocated") {
  CHECK(mentions(npy_refusal(npy_of_shape("(1000, 1000)", 4)), {"promises 4000", "but there are"}));
  CHECK(mentions(npy_refusal(npy_of_shape("(4294967296, 4294967296)", 0)), {"holds more than"}));
  CHECK(mentions(npy_refusal(npy_of_shape("(0, 9223372036854775807, 3)", 0)), {"holds more than"}));
  CHECK(mentions(npy_refusal(npy_of_shape("(99999999999999999999999,)", 0)), {"whole numbers"}));
  CHECK(mentions(npy_refusal(npy_of_shape("(-1,)", 0)), {"whole numbers"}));
  CHECK(mentions(npy_refusal(npy_of_shape("(1,)", 8)), {"promises"}));
}

TEST_CASE("a header that claims to be huge is refused unread") {
  std::vector<std::byte> bytes = fixture("version_2.npy");
  for (std::size_t i = 8; i < 12; ++i) bytes[i] = std::byte{0xff};
  CHECK(mentions(npy_refusal(bytes), {"4294967295 bytes is too long"}));
}

TEST_CASE("a damaged header is refused") {
  const std::string usual = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  CHECK(npy_refusal(npy(usual, 4)) == "no error");
  CHECK(npy_refusal(npy("{\"shape\":(1L,),\"fortran_order\":False,\"descr\":\"<f4\"}\n", 4)) == "no error");
  for (const char* dictionary :
       {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", "{'descr: '<f4'"}) {
    CAPTURE(dictionary);
    CHECK(mentions(npy_refusal(npy(dictionary, 4)), {"header"}));
  }
  CHECK(mentions(npy_refusal(bytes_of("hello")), {"not a .npy array"}));
}

TEST_CASE("a written array is read back with the same bits and its numbers start at a multiple of 64") {
  const std::array values{0.1f, -0.0f, std::numeric_limits<float>::infinity(), 1e-45f, 3.4028235e38f, -2.0f};
  for (const Sizes& shape : {Sizes{6}, Sizes{2, 3}, Sizes{1, 3, 2}}) {
    const std::vector<std::byte> bytes = write_npy(shape, values);
    CHECK((bytes.size() - values.size() * sizeof(float)) % 64 == 0);
    const Array64 array = parse_npy<double>(bytes);
    CHECK(array.shape == shape);
    REQUIRE(array.values.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(array.values[i] == static_cast<double>(values[i]));
      CHECK(std::signbit(array.values[i]) == std::signbit(values[i]));
    }
  }
}

TEST_CASE("the header is written as NumPy writes it") {
  const std::array values{1.0f};
  const auto header = [&](const Sizes& shape) { return text_of(write_npy(shape, values)).substr(10); };
  CHECK(header({}).starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (), } "));
  CHECK(header({1}).starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } "));
  CHECK(header({1, 1}).starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), } "));
  CHECK(header({1})[117] == '\n');
}

}  // namespace
}  // namespace attn::tests
