// Archives that NumPy wrote are read; archives that lie about sizes, places and checksums (zip_builder.h) are
// refused with the member's name, before anything large is unpacked.
#include "core/io/npz.h"

#include <doctest/doctest.h>

#include <array>

#include "core/text/bytes.h"
#include "tests/io/io_testing.h"
#include "tests/io/zip_builder.h"

namespace attn::tests {
namespace {

using Sizes = std::vector<std::size_t>;
using Numbers = std::vector<double>;

std::vector<std::byte> small_npy(float value = 1) {
  return write_npy(std::array<std::size_t, 2>{1, 1}, std::array{value});
}

std::string npz_refusal(const std::vector<std::byte>& bytes) {
  return reason([&] { parse_npz<double>(bytes); });
}

std::string npz_refusal(std::vector<FakeMember> members) {
  return npz_refusal(build({.members = std::move(members)}));
}

TEST_CASE("stored and compressed archives from NumPy are read") {
  for (const char* name : {"stored.npz", "compressed.npz"}) {
    CAPTURE(name);
    const auto arrays = parse_npz<double>(fixture(name));
    REQUIRE(arrays.size() == 3);
    CHECK(arrays.at("q").values == Numbers{1, 0, 0, 1});
    CHECK(arrays.at("k").shape == Sizes{3, 2});
    CHECK(arrays.at("k").values == Numbers{0, 1, 2, 3, 4, 5});
    CHECK(arrays.at("v").values == Numbers{1, 1, 1});
  }
}

TEST_CASE("names in any script are read") {
  const auto arrays = parse_npz<double>(fixture("unicode.npz"));
  CHECK(arrays.contains("größe"));
  CHECK(arrays.contains("键"));
}

TEST_CASE("a zero mask that compresses to a hundredth and less is read") {
  CHECK(parse_npz<double>(fixture("zeros.npz")).at("mask").values == Numbers(512 * 512, 0.0));
}

TEST_CASE("an archive without arrays is empty") {
  CHECK(parse_npz<double>(fixture("none.npz")).empty());
}

TEST_CASE("a member that is refused is named") {
  CHECK(mentions(npz_refusal(fixture("with_object.npz")), {"\"notes\"", "object arrays are not supported"}));
}

TEST_CASE("what is written is read back and is the same every time") {
  const std::vector<std::pair<std::string, std::vector<std::byte>>> members{{"a", small_npy(1)},
                                                                            {"größe", small_npy(2)}};
  const std::vector<std::byte> bytes = write_npz(members);
  CHECK(bytes == write_npz(members));
  const auto arrays = parse_npz<double>(bytes);
  REQUIRE(arrays.size() == 2);
  CHECK(arrays.at("a").values == Numbers{1});
  CHECK(arrays.at("größe").values == Numbers{2});
  CHECK(parse_npz<double>(write_npz({})).empty());
}

TEST_CASE("zip64 fields in a tiny file are read") {
  FakeMember a = stored("a.npy", small_npy(1)), b = deflated("b.npy", small_npy(2));
  a.zip64 = b.zip64 = true;
  const auto arrays = parse_npz<double>(build({.members = {a, b}, .zip64_end = true}));
  CHECK(arrays.at("a").values == Numbers{1});
  CHECK(arrays.at("b").values == Numbers{2});
}

TEST_CASE("a zip with a comment is read, and one with bytes behind its end is not") {
  std::vector<std::byte> bytes = build({.members = {stored("a.npy", small_npy())}, .comment = "hello PK"});
  CHECK(parse_npz<double>(bytes).size() == 1);
  bytes.push_back(std::byte{0});
  CHECK(mentions(npz_refusal(bytes), {"not a zip file, or its end is missing"}));
}

TEST_CASE("names are keys and never paths") {
  const auto arrays = parse_npz<double>(
      build({.members = {stored("../../x.npy", small_npy()), stored("/etc/y.npy", small_npy())}}));
  CHECK(arrays.contains("../../x"));
  CHECK(arrays.contains("/etc/y"));
}

TEST_CASE("names in messages carry no control characters") {
  const std::string message = npz_refusal({stored("\x1b[31mred\n.txt", small_npy())});
  CHECK(mentions(message, {"\\x1b[31mred\\x0a.txt"}));
}

TEST_CASE("two arrays of one name are refused") {
  CHECK(mentions(npz_refusal({stored("a.npy", small_npy(1)), stored("a.npy", small_npy(2))}),
                 {"two arrays named \"a\""}));
}

TEST_CASE("a member that is no array is refused") {
  CHECK(
      mentions(npz_refusal({stored("readme.txt", bytes_of("hi"))}), {"readme.txt", "does not end in .npy"}));
  CHECK(mentions(npz_refusal({stored("a.npy", bytes_of("hi"))}), {"\"a\"", "not a .npy array"}));
}

TEST_CASE("members that overlap are refused") {
  // The second member lies inside the data of the first.
  const FakeMember inner = stored("b.npy", small_npy(2));
  const FakeMember outer = stored("a.npy", local_part(inner));
  std::vector<FakeMember> members{outer, inner};
  members[1].offset = local_part(outer).size() - outer.data.size();
  CHECK(mentions(npz_refusal(members), {"\"a.npy\"", "\"b.npy\"", "overlap"}));
  members[1].offset = 0;
  CHECK(mentions(npz_refusal(members), {"\"b.npy\"", "two names"}));
}

TEST_CASE("a wrong checksum is refused") {
  for (FakeMember member : {stored("a.npy", small_npy()), deflated("a.npy", small_npy())}) {
    member.crc ^= 1;
    CHECK(mentions(npz_refusal({member}), {"\"a\"", "checksum"}));
  }
}

TEST_CASE("a member is inflated no further than its header implies") {
  std::vector<std::byte> longer = small_npy();
  longer.resize(longer.size() + (std::size_t{1} << 20));
  FakeMember member = deflated("a.npy", longer);
  CHECK(mentions(npz_refusal({member}), {"header promises 132 bytes", "the zip file 1048708"}));
  member.size = small_npy().size();
  CHECK(mentions(npz_refusal({member}), {"does not unpack to the 132 bytes"}));
}

TEST_CASE("a member that inflates to less than it promises is refused") {
  FakeMember member = deflated("a.npy", small_npy());
  const std::vector<std::byte> whole = small_npy();
  member.data = deflate({whole.begin(), whole.end() - 2});
  CHECK(mentions(npz_refusal({member}), {"does not unpack to the 132 bytes"}));
}

TEST_CASE("a huge promised size costs nothing") {
  FakeMember member = deflated("a.npy", small_npy());
  member.size = std::uint64_t{1} << 40;
  member.zip64 = true;
  CHECK(mentions(npz_refusal({member}), {"header promises 132 bytes"}));
}

TEST_CASE("all arrays together are capped before they are unpacked") {
  std::string dictionary = "{'descr': '|u1', 'fortran_order': False, 'shape': (134217728,), }";
  std::vector<std::byte> start = bytes_of(std::string("\x93NUMPY\x01\x00", 8));
  append_little(start, static_cast<std::uint16_t>(dictionary.size()));
  append(start, dictionary);
  FakeMember large = deflated("large.npy", start);
  large.size = start.size() + 134217728;
  CHECK(mentions(npz_refusal({stored("small.npy", small_npy()), large}),
                 {"\"large\"", "hold more than the 134217728 numbers"}));
}

TEST_CASE("encrypted members and unknown methods are refused") {
  FakeMember encrypted = stored("a.npy", small_npy());
  encrypted.flags = 1;
  CHECK(mentions(npz_refusal({encrypted}), {"encrypted"}));
  FakeMember unknown = stored("a.npy", small_npy());
  unknown.method = 14;
  CHECK(mentions(npz_refusal({unknown}), {"method 14"}));
}

TEST_CASE("sizes and places outside the file are refused") {
  FakeMember member = stored("a.npy", small_npy());
  member.offset = 1 << 30;
  CHECK(mentions(npz_refusal({member}), {"not where the directory says"}));
  member.offset = ~std::uint64_t{0};
  member.zip64 = true;
  CHECK(mentions(npz_refusal({member}), {"not where the directory says"}));
  member.offset.reset();
  member.size = ~std::uint64_t{0};
  member.stored_size = member.size;
  CHECK(mentions(npz_refusal({member}), {"cut off"}));
}

}  // namespace
}  // namespace attn::tests
