// Safetensors: headers that are cut, are no JSON, or say what does not fit the file.
#include "core/io/safetensors.h"
#include "core/text/bytes.h"
#include "tests/io/bad_files.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

std::vector<std::byte> tensors_file(const std::string& header, std::size_t data_bytes) {
  std::vector<std::byte> bytes;
  append_little(bytes, std::uint64_t{header.size()});
  append(bytes, header);
  bytes.resize(bytes.size() + data_bytes);
  return bytes;
}

BadFile header(const std::string& name, const std::string& text, std::vector<const char*> said,
               std::size_t data_bytes = 8) {
  return {name, [=] { return tensors_file(text, data_bytes); }, std::move(said)};
}

// The tensor a with these.
BadFile tensor(const std::string& name, const std::string& dtype, const std::string& shape,
               const std::string& offsets, std::vector<const char*> said) {
  return header(name,
                R"({"a":{"dtype":)" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}",
                std::move(said));
}

// Two of four bytes each, of eight in the file.
BadFile two_tensors(const std::string& name, const std::string& of_a, const std::string& of_b,
                    std::vector<const char*> said) {
  return header(name,
                R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + of_a +
                    R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + of_b + "}}",
                std::move(said));
}

BadFile length_of(const std::string& name, std::uint64_t length, std::vector<const char*> said) {
  return {name,
          [=] {
            std::vector<std::byte> bytes;
            append_little(bytes, length);
            append(bytes, "{}      ");
            return bytes;
          },
          std::move(said)};
}

void read_bad_tensors(std::span<const std::byte> bytes) {
  // Each byte is read once at most.
  std::uint64_t read = 0;
  const FilePieces whole = pieces_of(bytes);
  const FilePieces counted{whole.size, [&](std::uint64_t at, std::span<std::byte> out) {
                             read += out.size();
                             if (read > bytes.size()) throw std::logic_error("more was read than there is");
                             whole.read(at, out);
                           }};
  const std::vector<SafeTensor> tensors = list_safetensors(counted);
  read_safetensors(counted, tensors);
}

std::vector<std::byte> many_tensors(const std::string& entry, std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + entry;
  return tensors_file(text + "}", 0);
}

// Headers that are cut, or no header.
std::vector<BadFile> damaged_headers() {
  return {
      {"cut in its length", [] { return bytes_of("\x08\0\0"); }, {"length of its header", "byte"}},
      length_of("a header of 2^63 bytes", std::uint64_t{1} << 63,
                {"9223372036854775808 bytes", "there are 8"}),
      length_of("a header of 2^64 − 1 bytes", ~std::uint64_t{0},
                {"18446744073709551615 bytes", "there are 8"}),
      length_of("a header of a byte more", 9, {"9 bytes", "there are 8"}),
      length_of("a header of no bytes", 0, {"its header: line 1, column 1", "the text is empty"}),
      length_of("a header cut in its object", 1, {"its header: line 1, column 2", "end of input"}),
      {"a header of 17 MiB",
       [] { return tensors_file("{" + std::string(17 << 20, ' ') + "}", 0); },
       {"16 MiB"}},
      {"a header of 15 MiB of spaces",
       [] { return tensors_file("{" + std::string(15 << 20, ' ') + "}", 0); },
       {"its header: line 1", "without a single value"}},
      header("a header that is a list", "[]", {"its header: must be an object"}),
      header("a header that is a number", "1", {"its header: must be an object"}),
      header("a header that is no JSON", "{'a': 1}", {"its header: line 1, column 2", "literal"}),
      header("a header with bytes that are no UTF-8", "{\"\xff\":{}}", {"its header: line 1", "UTF-8"}),
      header("a header with a zero byte", std::string("{\0}", 3),
             {"its header: line 1, column 2", "zero byte"}),
      header("something behind the header's object", "{} {}", {"its header: line 1, column 4", "expected"}),
      header("nested a hundred thousand deep", "{\"a\":" + std::string(100000, '['),
             {"\"a\"", "must be an object"})};
}

// Entries that say too little or too much.
std::vector<BadFile> strange_entries() {
  return {
      header("metadata nested deep", R"({"__metadata__":{"a":)" + std::string(100000, '{'),
             {"__metadata__", "texts"}),
      header("metadata that is no object", R"({"__metadata__":[]})", {"__metadata__"}),
      header("metadata with numbers", R"({"__metadata__":{"a":1}})", {"__metadata__", "texts"}),
      header("metadata twice", R"({"__metadata__":{},"__metadata__":{}})", {"__metadata__ is there twice"}),
      header("a tensor that is a text", R"({"a":"b"})", {"\"a\" must be an object"}),
      header("a tensor of nothing", R"({"a":{}})", {"\"a\" lacks one of dtype, shape and data_offsets"}),
      header("a tensor without a shape", R"({"a":{"dtype":"F32","data_offsets":[0,8]}})",
             {"\"a\" lacks one of"}),
      header("an unknown key", R"({"a":{"type":"F32"}})", {"\"a\" has an unexpected key \"type\""}),
      header("a shape twice", R"({"a":{"shape":[2],"shape":[2]}})", {"\"a\" has shape twice"}),
      header("a type twice", R"({"a":{"dtype":"F32","dtype":"F32"}})", {"\"a\" has dtype twice"})};
}

// Tensors that overlap, leave holes or end outside.
std::vector<BadFile> misplaced_tensors() {
  return {
      two_tensors("two tensors in one place", "[0,4]", "[0,4]", {"\"a\" and \"b\" overlap"}),
      two_tensors("two tensors that overlap by a byte", "[0,4]", "[3,7]", {"\"a\" and \"b\" overlap"}),
      two_tensors("a hole between tensors", "[0,4]", "[5,9]", {"\"b\" ends at byte 9", "there are 8"}),
      two_tensors("a hole before the first", "[1,5]", "[5,9]", {"\"b\" ends at byte 9"}),
      header(
          "a hole of four bytes",
          R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[6,8]}})",
          {"a hole of 4 bytes before the tensor \"b\""}),
      header(
          "two tensors of one name",
          R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"a":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
          {"two tensors named \"a\""}),
      header("bytes that are nobody's", "{}", {"its tensors take 0 bytes, but there are 8"})};
}

// Tensors of types, sizes and places that cannot be.
std::vector<BadFile> lying_tensors() {
  const std::string f32 = "\"F32\"";
  return {
      tensor("a type that is a number", "32", "[2]", "[0,8]", {"\"a\"", "dtype must be a text"}),
      tensor("an unknown type", "\"F128\"", "[1]", "[0,8]", {"\"a\"", "\"F128\" is not read"}),
      tensor("a type of 8 bits", "\"F8_E4M3\"", "[8]", "[0,8]", {"\"a\"", "\"F8_E4M3\" is not read"}),
      tensor("a shape that is a number", f32, "2", "[0,8]",
             {"\"a\"", "shape must be a list of whole numbers"}),
      tensor("a size below zero", f32, "[-2]", "[0,8]", {"\"a\"", "whole numbers from 0"}),
      tensor("a size that is no whole number", f32, "[2.0]", "[0,8]", {"\"a\"", "whole numbers from 0"}),
      tensor("a size of 2^64", f32, "[18446744073709551616]", "[0,8]", {"\"a\"", "whole numbers from 0"}),
      tensor("a product that overflows", f32, "[4294967296,4294967298]", "[0,8]", {"\"a\"", "overflows"}),
      tensor("bytes that overflow", f32, "[4611686018427387906]", "[0,8]", {"\"a\"", "overflows"}),
      tensor("a size of 0 that hides one that overflows", f32, "[0,4294967296,4294967296]", "[0,0]",
             {"\"a\"", "overflows"}),
      tensor("a billion rows of nothing, and bytes", f32, "[1000000000,0]", "[0,8]",
             {"\"a\"", "takes 0 bytes"}),
      tensor("a shape in a shape", f32, "[[2]]", "[0,8]",
             {"\"a\": shape holds a value that does not belong there"}),
      tensor("nine dimensions", f32, "[2,1,1,1,1,1,1,1,1]", "[0,8]", {"\"a\" has more than 8 dimensions"}),
      tensor("a shape that needs more bytes", f32, "[3]", "[0,8]",
             {"\"a\": 3 of F32 takes 12 bytes", "give it 8"}),
      tensor("offsets in the wrong order", f32, "[2]", "[8,0]",
             {"\"a\" ends at byte 0 and begins behind it, at 8"}),
      tensor("one offset", f32, "[2]", "[8]", {"\"a\": data_offsets must be two numbers"}),
      tensor("three offsets", f32, "[2]", "[0,4,8]", {"\"a\": data_offsets must be two numbers"}),
      tensor("an offset beyond the end", f32, "[2]", "[1000,1008]",
             {"\"a\" ends at byte 1008", "there are 8"}),
      tensor("an offset of 2^64 − 1", "\"U8\"", "[8]", "[18446744073709551607,18446744073709551615]",
             {"\"a\" ends at byte 18446744073709551615"}),
      {"70000 tensors",
       [] { return many_tensors(R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})", 70000); },
       {"more than 65536 tensors"}},
      {"60000 tensors of many sizes, and a byte too few",
       [] {
         return many_tensors(R"(":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1],"data_offsets":[0,4]})", 60000);
       },
       {"ends at byte 4", "there are 0"}},
      header("a name of five thousand letters", "{\"" + std::string(5000, 'a') + "\":{}}",
             {"longer than 4096 bytes"})};
}

}  // namespace

BadFiles bad_safetensors() {
  return {"safetensors", read_bad_tensors,
          joined({damaged_headers(), strange_entries(), misplaced_tensors(), lying_tensors()})};
}

}  // namespace attn::tests
