// Arrays whose header is cut, damaged or lies.
#include "core/io/npy.h"
#include "core/text/bytes.h"
#include "tests/io/bad_files.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

std::vector<std::byte> npy_file(const std::string& dictionary, std::size_t data_bytes, int version = 1) {
  std::vector<std::byte> bytes = bytes_of(std::string("\x93NUMPY") + static_cast<char>(version) + '\0');
  if (version == 1)
    append_little(bytes, static_cast<std::uint16_t>(dictionary.size()));
  else
    append_little(bytes, static_cast<std::uint32_t>(dictionary.size()));
  append(bytes, dictionary);
  bytes.resize(bytes.size() + data_bytes);
  return bytes;
}

BadFile dictionary(const std::string& name, const std::string& text, std::vector<const char*> said,
                   std::size_t data_bytes = 8) {
  return {name, [=] { return npy_file(text, data_bytes); }, std::move(said)};
}

BadFile of_shape(const std::string& name, const std::string& shape, std::vector<const char*> said) {
  return dictionary(name, "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }",
                    std::move(said));
}

BadFile of_type(const std::string& name, const std::string& type, std::vector<const char*> said) {
  return dictionary(name, "{'descr': " + type + ", 'fortran_order': False, 'shape': (2,), }",
                    std::move(said));
}

BadFile cut_npy(const std::string& name, std::size_t length, std::vector<const char*> said) {
  return {name,
          [=] {
            std::vector<std::byte> bytes = fixture("f4.npy");
            bytes.resize(length);
            return bytes;
          },
          std::move(said)};
}

BadFile poked(const std::string& name, std::size_t at, unsigned char byte, std::vector<const char*> said) {
  return {name,
          [=] {
            std::vector<std::byte> bytes = fixture("f4.npy");
            bytes[at] = std::byte{byte};
            return bytes;
          },
          std::move(said)};
}

// Before the dictionary, and whole files that are too short or too long.
std::vector<BadFile> cut_arrays() {
  return {cut_npy("cut in its magic", 4, {"not a .npy array", "first bytes"}),
          cut_npy("cut in its version", 7, {"ends inside its header", "byte 7"}),
          cut_npy("cut in its length", 9, {"ends inside its header", "byte 9"}),
          cut_npy("cut in its dictionary", 40, {"ends inside its header", "byte 40"}),
          cut_npy("cut behind its header", 128, {"header promises 152 bytes", "there are 128"}),
          cut_npy("cut in its numbers", 150, {"header promises 152 bytes", "there are 150"}),
          cut_npy("bytes behind its numbers", 160, {"header promises 152 bytes", "there are 160"}),
          poked("another magic", 0, 0x92, {"not a .npy array", "first bytes"}),
          poked("a version from the future", 6, 9, {".npy version 9"}),
          poked("version 0", 6, 0, {".npy version 0"}),
          poked("a header longer than the file", 9, 0x7f, {"ends inside its header"}),
          {"a header longer than any",
           [] {
             std::vector<std::byte> bytes = fixture("f4.npy");
             return bytes[8] = bytes[9] = std::byte{0xff}, bytes;
           },
           {"65535 bytes", "too long"}},
          poked("a brace of its dictionary lost", 10, ' ', {"byte 11", "expected {"}),
          {"a header of 4 GiB in version 2",
           [] {
             std::vector<std::byte> bytes = bytes_of(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12));
             bytes.resize(200);
             return bytes;
           },
           {"4294967295 bytes", "too long"}},
          {"version 2 cut in its length",
           [] { return bytes_of(std::string("\x93NUMPY\2\0\x10\0\0", 11)); },
           {"ends inside its header", "byte 11"}},
          {"a header of nothing", [] { return npy_file("", 8); }, {"byte 10", "expected {"}}};
}

// Dictionaries that are no such thing, or say too little.
std::vector<BadFile> damaged_dictionaries() {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  return {
      dictionary("a dictionary of nothing", "{}", {"lacks one of descr, fortran_order and shape"}),
      dictionary("a key missing", "{'descr': '<f4', 'shape': (2,), }", {"lacks one of descr"}),
      dictionary("an unknown key", "{'descr': '<f4', 'order': 'C', }", {"unexpected key \"order\""}),
      dictionary("a key twice", "{'descr': '<f4', 'descr': '<f8', }", {"unexpected key \"descr\""}),
      dictionary("a text without an end", "{'descr': '<f4, }", {"byte 20", "a text has no end"}),
      dictionary("a comma missing", "{'descr': '<f4' 'fortran_order': False}", {"byte 26", "expected }"}),
      dictionary("an order that is a number", "{'fortran_order': 2}", {"byte 28", "neither True nor False"}),
      dictionary("something behind the dictionary", good + " or 1", {"goes on after the dictionary"}),
      dictionary("code in place of a dictionary", "__import__('os').system('true')",
                 {"byte 10", "expected {"}),
      dictionary("a bracket opened ten thousand times", std::string(10000, '('), {"byte 10", "expected {"})};
}

// Shapes that cannot be, and types that are not read.
std::vector<BadFile> lying_shapes() {
  std::string ones;
  for (int i = 0; i < 33; ++i) ones += "1,";
  return {
      of_shape("a size below zero", "(-1,)", {"byte", "whole numbers that fit"}),
      of_shape("a size of 2^64", "(18446744073709551616,)", {"byte", "whole numbers that fit"}),
      of_shape("a size that is no whole number", "(2.5,)", {"byte", "expected )"}),
      of_shape("a shape that is a list", "[2]", {"byte", "expected ("}),
      of_shape("a shape that is a number", "2", {"byte", "expected ("}),
      of_shape("a product that overflows", "(4294967296, 4294967296, 4294967296)",
               {"4294967296×4294967296", "holds more"}),
      of_shape("a product that overflows to 2", "(9223372036854775809, 2)", {"holds more than"}),
      of_shape("a billion rows of nothing", "(1000000000, 0)", {"1000000000×0", "holds more than"}),
      of_shape("more numbers than there are", "(100000000,)", {"header promises 4000000", "but there are"}),
      of_shape("33 dimensions", "(" + ones + ")", {"more than 32 dimensions"}),
      of_type("objects", "'|O'", {"object arrays", "float32"}),
      of_type("texts", "'<U8'", {"text arrays"}),
      of_type("complex numbers", "'<c8'", {"complex", "real part"}),
      of_type("dates", "'<M8[ns]'", {"dates"}),
      of_type("a structure", "[('a', '<f4'), ('b', '<i4')]", {"structured arrays", "each field"}),
      of_type("raw bytes", "'|V2'", {"structured and raw arrays"}),
      of_type("a float of 16 bytes", "'<f16'", {"the type \"<f16\" is not supported"}),
      of_type("a number of no bytes", "'<f0'", {"the type \"<f0\" is not supported"}),
      of_type("no type", "''", {"the type \"\" is not supported"}),
      of_type("a type that would draw on a terminal", "'\x1b[2J'", {"\\x1b[2J"})};
}

}  // namespace

BadFiles bad_npy() {
  return {"npy", [](std::span<const std::byte> bytes) { parse_npy<float>(bytes); },
          joined({cut_arrays(), damaged_dictionaries(), lying_shapes()})};
}

}  // namespace attn::tests
