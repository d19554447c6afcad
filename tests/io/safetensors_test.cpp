// A file that the safetensors library wrote (make_fixtures.py), of every type; headers written by hand that
// do not fit their file; and that of a file of gigabytes only what is asked for is read.
#include "core/io/safetensors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/system/file.h"
#include "core/text/bytes.h"
#include "tests/app/scratch_folder.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

using Floats = std::vector<float>;

std::vector<std::byte> safetensors(const std::string& header, std::size_t data_bytes) {
  std::vector<std::byte> bytes;
  append_little(bytes, std::uint64_t{header.size()});
  append(bytes, header);
  bytes.resize(bytes.size() + data_bytes);
  return bytes;
}

TEST_CASE("tensors of every type that the safetensors library wrote are read") {
  const std::vector<std::byte> file = fixture("types.safetensors");
  const auto read = [&](const char* name) { return read_safetensor(pieces_of(file), name); };
  for (const char* name : {"i1", "i2", "i4", "i8"}) {
    CHECK(read(name).shape == std::vector<std::size_t>{2, 3});
    CHECK(read(name).values == Floats{-3, -2, -1, 0, 1, 2});
  }
  CHECK(read("u1").values == Floats{250, 251, 252, 253, 254, 255});
  CHECK(read("bool").values == Floats{1, 0});
  CHECK(read("none").shape == std::vector<std::size_t>{0, 3});
  CHECK(read("none").values.empty());
  // 6e-8 as each type has it: the smallest subnormal of float16, 2^-24; in bfloat16 1.0078125 · 2^-24.
  const std::map<std::string, float> smallest{
      {"f8", 6e-8f}, {"f4", 6e-8f}, {"f2", 0x1p-24f}, {"bf16", 0x1.02p-24f}};
  for (const auto& [name, small] : smallest) {
    CAPTURE(name);
    const Array array = read(name.c_str());
    REQUIRE(array.values.size() == 6);
    CHECK(array.values[0] == 1.5f);
    CHECK((array.values[1] == 0 && std::signbit(array.values[1])));
    CHECK(array.values[2] == INFINITY);
    CHECK(array.values[3] == -INFINITY);
    CHECK(std::isnan(array.values[4]));
    CHECK(array.values[5] == small);
  }
  // π to 8 bits: 201/64.
  CHECK(read("bf16_pi").shape.empty());
  CHECK(read("bf16_pi").values == Floats{3.140625f});
}

TEST_CASE("what is written is read again, bit for bit and in its order") {
  const Floats weight{1, -0.0f, 3e38f, NAN, 1e-45f, 0.1f}, bias{2};
  const std::vector<WrittenTensor> written{
      {"z.weight", {2, 3}, weight}, {"a \"b\"", {1}, bias}, {"none", {0, 4}, {}}};
  const std::vector<std::byte> file = safetensors_of(written);
  CHECK(load_little<std::uint64_t>(file, 0) % 8 == 0);  // numbers lie where a program may map them
  const std::vector<SafeTensor> listed = list_safetensors(pieces_of(file));
  REQUIRE(listed.size() == written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    CAPTURE(written[i].name);
    const auto tensor = std::ranges::find(listed, written[i].name, &SafeTensor::name);
    REQUIRE(tensor != listed.end());
    CHECK(tensor->dtype == "F32");
    CHECK(tensor->shape == written[i].shape);
    const Array read = read_safetensor(pieces_of(file), written[i].name);
    CHECK(std::ranges::equal(std::as_bytes(std::span(read.values)), std::as_bytes(written[i].numbers)));
  }
  CHECK(safetensors_of({}).size() > 8);
  CHECK(list_safetensors(pieces_of(safetensors_of({}))).empty());
}

TEST_CASE("tensors are listed in the order of their bytes, with type and shape") {
  const std::vector<std::byte> file = fixture("types.safetensors");
  const std::vector<SafeTensor> tensors = list_safetensors(pieces_of(file));
  REQUIRE(tensors.size() == 12);
  CHECK(tensors[0].name == "i8");
  CHECK(tensors[0].dtype == "I64");
  CHECK(tensors[0].bytes == 48);
  CHECK(tensors.back().name == "bool");
  CHECK(tensors.back().offset + tensors.back().bytes == file.size());
  const auto found = std::ranges::find(tensors, "bf16", &SafeTensor::name);
  REQUIRE(found != tensors.end());
  CHECK(found->shape == std::vector<std::size_t>{1, 6});
  const NamedArrays arrays = read_safetensors(pieces_of(file), tensors);
  CHECK(arrays.size() == 12);
  CHECK(arrays.at("i2").values == Floats{-3, -2, -1, 0, 1, 2});
}

TEST_CASE("of a file of gigabytes the header and the wanted tensor are read") {
  // Two tensors of 8 GiB around one of 8 bytes, in a file that exists nowhere.
  const std::string header =
      R"({"a":{"dtype":"F16","shape":[65536,65536],"data_offsets":[0,8589934592]},)"
      R"("b":{"dtype":"F32","shape":[2],"data_offsets":[8589934592,8589934600]},)"
      R"("c":{"dtype":"F8_E4M3","shape":[65536,131072],"data_offsets":[8589934600,17179869192]}})";
  std::vector<std::byte> start = safetensors(header, 0);
  std::uint64_t read = 0;
  const FilePieces file{start.size() + 17179869192, [&](std::uint64_t at, std::span<std::byte> out) {
                          read += out.size();
                          for (std::byte& byte : out)
                            byte = at < start.size() ? start[at++] : std::byte{0x40};
                        }};
  const std::vector<SafeTensor> tensors = list_safetensors(file);
  CHECK(read == start.size());
  REQUIRE(tensors.size() == 3);
  CHECK(mentions(tensors[0].refusal, {"65536×65536 holds more than the 134217728 numbers that are read"}));
  CHECK(mentions(tensors[2].refusal, {"\"F8_E4M3\" is not read"}));
  CHECK(read_safetensors(file, {&tensors[1], 1}).at("b").values == Floats{0x1.80808p1f, 0x1.80808p1f});
  CHECK(read == start.size() + 8);
  CHECK(mentions(reason([&] { read_safetensor(file, "c"); }), {"the tensor \"c\": its type \"F8_E4M3\""}));
  CHECK(mentions(reason([&] { read_safetensor(file, "d"); }), {"there is no tensor \"d\""}));
}

TEST_CASE("of tensors that hold too much together fewer are to be chosen") {
  std::vector<SafeTensor> tensors(2,
                                  {.name = "a", .dtype = "U8", .shape = {100'000'000}, .bytes = 100'000'000});
  tensors[1].name = "b";
  CHECK(
      mentions(reason([&] { read_safetensors({}, tensors); }), {"the tensor \"b\"", "choose fewer tensors"}));
}

TEST_CASE("pieces of a file on the disk are its bytes") {
  const ScratchFolder folder;
  write_file(folder / "a.bin", fixture("types.safetensors"));
  const FilePieces file = pieces_of_file(folder / "a.bin");
  CHECK(list_safetensors(file).size() == 12);
  CHECK(read_safetensor(file, "u1").values.front() == 250);
  CHECK(mentions(reason([&] { pieces_of_file(folder / "b.bin"); }), {"b.bin"}));
  CHECK(mentions(reason([&] { pieces_of_file(folder / ""); }), {"a folder"}));
  write_file(folder / "c.bin", std::string(100, 'c'));
  const FilePieces shrunk{1000, pieces_of_file(folder / "c.bin").read};
  std::vector<std::byte> bytes(200);
  CHECK(mentions(reason([&] { shrunk.read(0, bytes); }), {"c.bin", "became shorter"}));
}

TEST_CASE("metadata and spaces behind the header say nothing") {
  const auto bytes = safetensors(R"({"__metadata__":{"format":"pt","format":"np"},"a":{"data_offsets":[0,4],)"
                                 R"("shape":[],"dtype":"F32"}}    )",
                                 4);
  CHECK(read_safetensor(pieces_of(bytes), "a").values == Floats{0});
  CHECK(list_safetensors(pieces_of(safetensors("{}", 0))).empty());
}

}  // namespace
}  // namespace attn::tests
