// Files in memory without a copy: whatever becomes of the file, the bytes stay.
#include "core/system/mapped_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/io/array_file.h"
#include "core/io/npz.h"
#include "core/system/content_hash.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/io/io_testing.h"
#include "tests/io/zip_builder.h"
#include "tests/limited_memory.h"

namespace attn::tests {
namespace {

struct OneFile : ScratchFolder {
  OneFile() {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 251);
    write_file(path, bytes);
  }
  bool is_as_it_was(const MappedFile& mapped) const { return std::ranges::equal(mapped.bytes(), bytes); }

  std::vector<std::byte> bytes = std::vector<std::byte>(std::size_t{3} << 20);
  std::string path = *this / "numbers";
};

TEST_CASE("a mapped file that is written over in place keeps its bytes") {
  const OneFile file;
  const auto mapped = MappedFile::open(file.path, 1);
  REQUIRE(mapped);
  CHECK(mapped->is_mapped());
  CHECK(file.is_as_it_was(*mapped));
  const int writer = ::open(file.path.c_str(), O_WRONLY | O_TRUNC);  // returns when the copy is there
  REQUIRE(writer >= 0);
  CHECK_FALSE(mapped->is_mapped());
  CHECK(::write(writer, "other", 5) == 5);
  ::close(writer);
  CHECK(file.is_as_it_was(*mapped));
}

TEST_CASE("a mapped file that is cut short keeps its bytes") {
  const OneFile file;
  const auto mapped = MappedFile::open(file.path, 1);
  REQUIRE(mapped);
  REQUIRE(::truncate(file.path.c_str(), 10) == 0);
  CHECK(file.is_as_it_was(*mapped));
}

TEST_CASE("a mapped file that is replaced or removed stays mapped") {
  const OneFile file;
  const auto mapped = MappedFile::open(file.path, 1);
  REQUIRE(mapped);
  write_file(file.path, std::string("another"));
  std::filesystem::remove(file.path);
  CHECK(mapped->is_mapped());
  CHECK(file.is_as_it_was(*mapped));
}

TEST_CASE("a file that is small or being written is not mapped") {
  const OneFile file;
  CHECK_FALSE(MappedFile::open(file.path));
  CHECK_FALSE(MappedFile::open(file / "none", 1));
  CHECK_FALSE(MappedFile::open("/dev/zero", 1));
  const int writer = ::open(file.path.c_str(), O_WRONLY);
  CHECK_FALSE(MappedFile::open(file.path, 1));
  ::close(writer);
  CHECK(MappedFile::open(file.path, 1));
}

TEST_CASE("a file is not mapped where memory is limited" * doctest::test_suite("unsanitized")) {
  const OneFile file;
  const LimitedMemory limit(std::uint64_t{1} << 30);
  CHECK_FALSE(MappedFile::open(file.path, 1));
}

// Bytes of this process alone, which no file gives back.
std::size_t own_memory() {
  std::ifstream status("/proc/self/status");
  std::size_t kilobytes = 0;
  for (std::string word; status >> word;)
    if (word == "RssAnon:") status >> kilobytes;
  return kilobytes << 10;
}

TEST_CASE("the numbers of a mapped file take no memory" * doctest::test_suite("unsanitized")) {
  constexpr std::size_t kRows = 16, kColumns = std::size_t{1} << 20;  // 64 MiB
  const ScratchFolder folder;
  const std::string path = folder / "large.npz";
  {
    const std::vector<float> row(kColumns, 1.5f);
    FileWriter file(path);
    NpzWriter npz([&](Bytes bytes) { file.write(bytes); });
    npz.add("x", std::vector<std::size_t>{kRows, kColumns}, std::vector<std::span<const float>>(kRows, row));
    npz.finish();
    file.commit();
  }
  const std::size_t before = own_memory();
  const auto mapped = MappedFile::open(path);
  REQUIRE(mapped);
  const Array array = parse_npz<float>(mapped->bytes(), {}, {path, mapped}).at("x");
  CHECK(array.keeper == mapped);
  CHECK(std::ranges::count(array.numbers(), 1.5f) == kRows * kColumns);
  CHECK(array.origin->digest == content_hash(std::as_bytes(array.numbers())));
  CHECK(own_memory() < before + (std::size_t{8} << 20));
  const auto copied = parse_npz<float>(mapped->bytes());
  CHECK(own_memory() > before + (std::size_t{60} << 20));
}

TEST_CASE("an .npy that is opened alone stays in its file where it is large" *
          doctest::test_suite("unsanitized")) {
  constexpr std::size_t kRows = 4, kColumns = std::size_t{1} << 20;  // 16 MiB
  const ScratchFolder folder;
  const std::string large = folder / "large.npy", small = folder / "small.npy";
  write_file(large, write_npy(std::array{kRows, kColumns}, std::vector<float>(kRows * kColumns, 1.5f)));
  write_file(small, write_npy(std::array<std::size_t, 2>{1, 2}, std::array{1.0f, 2.0f}));
  const std::size_t before = own_memory();
  const auto mapped = read_array_file(large, {}, true);
  REQUIRE(mapped);
  const Array& array = mapped->numbers.at("large");
  CHECK(array.keeper);
  CHECK(std::ranges::count(array.numbers(), 1.5f) == kRows * kColumns);
  REQUIRE(array.origin);
  CHECK(array.origin->digest == content_hash(std::as_bytes(array.numbers())));
  CHECK(own_memory() < before + (std::size_t{4} << 20));
  const auto copied = read_array_file(large, {}, false);
  CHECK_FALSE(copied->numbers.at("large").keeper);
  CHECK(std::ranges::equal(copied->numbers.at("large").numbers(), array.numbers()));
  const auto two = read_array_file(small, {}, true);
  CHECK(two->numbers.at("small").numbers().size() == 2);
  CHECK_FALSE(two->numbers.at("small").origin);  // a session holds it
}

// An array of an .npz, and where it lies.
Array in_place(const std::vector<std::byte>& npz, const std::string& name) {
  const auto keeper = std::make_shared<int>(0);
  Array array = parse_npz<float>(npz, "mask", {"", keeper}).at(name);
  const auto* first = reinterpret_cast<const std::byte*>(array.numbers().data());
  CHECK((array.keeper != nullptr) == (first >= npz.data() && first < npz.data() + npz.size()));
  return array;
}

TEST_CASE("arrays that are written here can be read where they are") {
  std::vector<std::byte> file;
  NpzWriter npz([&](Bytes bytes) { append(file, bytes); });
  const std::vector<float> numbers{1, -2, 3.5f};
  std::string name;
  for (int i = 0; i < 70; ++i) {
    name += 'n';
    npz.add(name, std::vector<std::size_t>{3}, std::vector<std::span<const float>>{numbers});
  }
  npz.finish();
  for (const auto& [key, array] : parse_npz<float>(file, {}, {"", std::make_shared<int>(0)})) {
    CAPTURE(key.size());
    REQUIRE(array.keeper);
    CHECK(std::ranges::equal(array.numbers(), numbers));
  }
}

TEST_CASE("arrays that do not lie as they are here are copied") {
  const auto npy = write_npy(std::array<std::size_t, 2>{1, 2}, std::array{1.0f, 2.0f});
  const auto numbers = std::vector<float>{1, 2};
  for (const std::size_t length : {1, 2, 3, 4, 5, 6, 7, 8}) {  // of which some leave it aligned
    const std::string name(length, 'a');
    const auto file = build({.members = {stored(name + ".npy", npy)}});
    const Array array = in_place(file, name);
    const std::size_t begin =
        reinterpret_cast<std::uintptr_t>(file.data()) + 30 + length + 4 + npy.size() - 8;
    CHECK((array.keeper != nullptr) == (begin % 4 == 0));
    CHECK(std::ranges::equal(array.numbers(), numbers));
  }
  const auto packed = build({.members = {deflated("aa.npy", npy)}});
  CHECK_FALSE(in_place(packed, "aa").keeper);
  CHECK(std::ranges::equal(in_place(packed, "aa").numbers(), numbers));
  const auto masked = build({.members = {stored("mask.npy", npy)}});
  CHECK(in_place(masked, "mask").values == std::vector<float>{1, 1});
}

TEST_CASE("a damaged array is refused where it is read in place too") {
  const auto npy = write_npy(std::array<std::size_t, 2>{1, 2}, std::array{1.0f, 2.0f});
  FakeMember member = stored("aa.npy", npy);
  member.data.back() ^= std::byte{1};
  const auto file = build({.members = {member}});
  CHECK(mentions(reason([&] { in_place(file, "aa"); }), {"\"aa\"", "checksum is wrong"}));
}

}  // namespace
}  // namespace attn::tests
