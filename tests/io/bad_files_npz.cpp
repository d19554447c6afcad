// Archives: zip files that lie about places and sizes, and arrays in them that do.
#include <array>

#include "core/io/layer_npz.h"
#include "core/text/bytes.h"
#include "tests/io/bad_files.h"
#include "tests/io/io_testing.h"
#include "tests/io/zip_builder.h"

namespace attn::tests {
namespace {

std::vector<std::byte> npy_of(std::initializer_list<std::size_t> shape) {
  const std::vector<std::size_t> sizes = shape;
  std::size_t count = 1;
  for (const std::size_t size : sizes) count *= size;
  return write_npy(sizes, std::vector<float>(count, 1.0f));
}

// A header of any dictionary, and no numbers.
std::vector<std::byte> npy_start(const std::string& text) {
  std::vector<std::byte> bytes = bytes_of(std::string("\x93NUMPY\1\0", 8));
  append_little(bytes, static_cast<std::uint16_t>(text.size()));
  append(bytes, text);
  return bytes;
}

std::vector<std::byte> two_arrays() {
  return build({.members = {stored("q.npy", npy_of({2, 2})), deflated("k.npy", npy_of({2, 2}))}});
}

BadFile zipped(const std::string& name, std::function<void(std::vector<FakeMember>&)> damage,
               std::vector<const char*> said) {
  const auto make = [damage = std::move(damage)] {
    std::vector<FakeMember> members{stored("q.npy", npy_of({2, 2})), deflated("k.npy", npy_of({2, 2}))};
    damage(members);
    return build({.members = members});
  };
  return {name, make, std::move(said)};
}

BadFile bytes_changed(const std::string& name, std::function<void(std::vector<std::byte>&)> damage,
                      std::vector<const char*> said) {
  const auto make = [damage = std::move(damage)] {
    std::vector<std::byte> bytes = two_arrays();
    damage(bytes);
    return bytes;
  };
  return {name, make, std::move(said)};
}

// The end record: 22 bytes. Before it the entry of k.npy, 46 + 5, and of q.npy, 46 + 5.
BadFile end_changed(const std::string& name, std::size_t at, std::initializer_list<unsigned char> by,
                    std::vector<const char*> said) {
  const std::vector<unsigned char> put = by;
  return bytes_changed(
      name,
      [=](std::vector<std::byte>& bytes) {
        for (std::size_t i = 0; i < put.size(); ++i) bytes[bytes.size() - 22 + at + i] = std::byte{put[i]};
      },
      std::move(said));
}

BadFile cut_zip(const std::string& name, std::size_t lost, std::vector<const char*> said) {
  return bytes_changed(
      name, [=](std::vector<std::byte>& bytes) { bytes.resize(bytes.size() - lost); }, std::move(said));
}

BadFile array(const std::string& name, std::function<FakeMember()> member, std::vector<const char*> said) {
  const auto make = [member = std::move(member)] {
    return build({.members = {stored("q.npy", npy_of({2, 2})), member()}});
  };
  return {name, make, std::move(said)};
}

FakeMember promising(FakeMember member, std::uint64_t size) {
  member.size = size, member.zip64 = true;
  if (member.method == 0) member.stored_size = size;
  return member;
}

// The end of the archive and its directory.
std::vector<BadFile> damaged_ends() {
  return {
      cut_zip("cut in its end record", 1, {"its end is missing", "no central directory"}),
      cut_zip("cut behind its arrays", 124, {"its end is missing", "no central directory"}),
      {"a local header's mark alone", [] { return bytes_of("PK\3\4"); }, {"its end is missing"}},
      bytes_changed("bytes behind its end", [](auto& bytes) { bytes.resize(bytes.size() + 9); },
                    {"its end is missing"}),
      bytes_changed("bytes before its start",
                    [](auto& bytes) { bytes.insert(bytes.begin(), 7, std::byte{1}); }, {"central directory"}),
      end_changed("a comment longer than the file", 20, {0xff, 0xff}, {"its end is missing"}),
      end_changed("one part of several", 4, {1, 0}, {"one part of several"}),
      end_changed("a directory behind the end", 16, {0xff, 0xff, 0xff, 0x7f},
                  {"byte 2147483647", "lies outside"}),
      end_changed("a directory longer than the file", 12, {0xff, 0xff, 0xff, 0x7f}, {"lies outside"}),
      end_changed("a directory of 65534 members", 10, {0xfe, 0xff}, {"too short for 65534 members"}),
      end_changed("a directory of one member less", 10, {1, 0}, {"more than its 1 members"}),
      end_changed("a directory of no members", 10, {0, 0}, {"more than its 0 members"}),
      end_changed("a directory at the wrong place", 16, {0, 0, 0, 0}, {"member 0 is missing at byte 0"}),
      end_changed("a zip64 record that is missing", 16, {0xff, 0xff, 0xff, 0xff},
                  {"zip64 record is missing"}),
      {"a zip64 record of 2^64 members",
       [] {
         std::vector<std::byte> bytes = build({.members = {stored("q.npy", npy_of({2}))}, .zip64_end = true});
         for (std::size_t i = 0; i < 8; ++i) bytes[bytes.size() - 22 - 20 - 56 + 32 + i] = std::byte{0xff};
         return bytes;
       },
       {"too short for 18446744073709551615 members"}},
      {"a zip64 directory at 2^64",
       [] {
         std::vector<std::byte> bytes = build({.members = {stored("q.npy", npy_of({2}))}, .zip64_end = true});
         for (std::size_t i = 0; i < 8; ++i) bytes[bytes.size() - 22 - 20 - 56 + 48 + i] = std::byte{0xff};
         return bytes;
       },
       {"lies outside"}}};
}

// Members of the directory.
std::vector<BadFile> damaged_members() {
  using Members = std::vector<FakeMember>;
  return {
      zipped("a member behind the end", [](Members& m) { m[1].offset = 1 << 30; },
             {"\"k.npy\"", "not where the directory says"}),
      zipped("a member at 2^64", [](Members& m) { m[1].offset = ~0ull, m[1].zip64 = true; },
             {"\"k.npy\"", "not where the directory says"}),
      zipped("a member longer than the file", [](Members& m) { m[0].size = *(m[0].stored_size = 1 << 30); },
             {"\"q.npy\"", "cut off"}),
      zipped("a member of 2^64 bytes", [](Members& m) { m[0] = promising(m[0], ~0ull); },
             {"\"q.npy\"", "cut off"}),
      zipped("a stored member with two sizes", [](Members& m) { m[0].size += 4; },
             {"\"q.npy\"", "two sizes"}),
      zipped("one member twice", [](Members& m) { m[1] = m[0], m[1].offset = 0; }, {"\"q.npy\"", "overlap"}),
      zipped("a member with two names", [](Members& m) { m[1].offset = 0; }, {"\"k.npy\"", "two names"}),
      zipped("a member inside another",
             [](Members& m) {
               m[0] = stored("q.npy", local_part(m[1]));
               m[1].offset = local_part(m[0]).size() - m[0].data.size();
             },
             {"\"q.npy\" and \"k.npy\"", "overlap"}),
      zipped("a member under a password", [](Members& m) { m[1].flags = 1; }, {"\"k.npy\"", "encrypted"}),
      zipped("a method that is not read", [](Members& m) { m[1].method = 93; }, {"\"k.npy\"", "method 93"}),
      zipped("two arrays of one name", [](Members& m) { m[1].name = "q.npy"; }, {"two arrays named \"q\""}),
      zipped("a member that is no array", [](Members& m) { m[1].name = "notes.txt"; },
             {"\"notes.txt\"", ".npy"}),
      zipped("a name with a zero byte", [](Members& m) { m[1].name = std::string("k\0.txt", 6); },
             {"\"k\\x00.txt\""}),
      zipped("a name that would draw on a terminal", [](Members& m) { m[1].name = "\x1b[2J"; }, {"\\x1b[2J"}),
      {"sixty thousand members of nothing",
       [] {
         std::vector<FakeMember> members(60000, stored(".npy", {}));
         return build({.members = members});
       },
       {"the array \"\"", "not a .npy array"}}};
}

// Data that is not what its checksum or its packing says.
std::vector<BadFile> damaged_data() {
  const auto good = [] { return npy_of({2, 2}); };
  return {array("a wrong checksum",
                [=] {
                  auto m = stored("k.npy", good());
                  return m.crc ^= 1, m;
                },
                {"\"k\"", "checksum"}),
          array("a wrong checksum of packed data",
                [=] {
                  auto m = deflated("k.npy", good());
                  return m.crc ^= 1, m;
                },
                {"\"k\"", "checksum"}),
          array("packed data that is cut",
                [=] {
                  auto m = deflated("k.npy", good());
                  return m.data.pop_back(), m;
                },
                {"\"k\"", "damaged", "144 bytes"}),
          array("packed data that never ends",
                [=] {
                  auto m = deflated("k.npy", good());
                  m.data = bytes_of(std::string(300000, '\0'));  // stored blocks of no bytes
                  for (std::size_t i = 0; i < m.data.size(); i += 5)
                    m.data[i + 3] = m.data[i + 4] = std::byte{0xff};
                  return m;
                },
                {"\"k\"", "damaged"}),
          array("packed data of another kind",
                [=] {
                  auto m = deflated("k.npy", good());
                  return m.data[0] = std::byte{7}, m;
                },
                {"\"k\""}),
          array("packed data with bytes behind it",
                [=] {
                  auto m = deflated("k.npy", good());
                  return m.data.resize(m.data.size() + 9), m;
                },
                {"\"k\"", "damaged"})};
}

// What is small and promises or unpacks to much.
std::vector<BadFile> bombs() {
  const auto good = [] { return npy_of({2, 2}); };
  return {array("a bomb of zeros behind an array",
                [=] {
                  std::vector<std::byte> bytes = good();
                  bytes.resize(64 * kMega);
                  return deflated("k.npy", bytes);
                },
                {"\"k\"", "header promises 144 bytes", "zip file 67108864"}),
          array("a bomb that promises to be small",
                [=] {
                  std::vector<std::byte> bytes = good();
                  bytes.resize(64 * kMega);
                  auto m = deflated("k.npy", bytes);
                  m.size = good().size();
                  return m;
                },
                {"\"k\"", "does not unpack to the 144 bytes"}),
          array("a promise of a terabyte", [=] { return promising(deflated("k.npy", good()), 1ull << 40); },
                {"\"k\"", "header promises 144 bytes"}),
          array("a header and zip that promise a quarter of a gigabyte",
                [] {
                  const std::vector<std::byte> start =
                      npy_start("{'descr': '<f4', 'fortran_order': True, 'shape': (8192, 8192), }");
                  return promising(deflated("k.npy", start), start.size() + (256ull << 20));
                },
                {"\"k\"", "damaged"}),
          array("more numbers than are read",
                [] {
                  const std::vector<std::byte> start =
                      npy_start("{'descr': '|u1', 'fortran_order': False, 'shape': (134217728,), }");
                  return promising(deflated("k.npy", start), start.size() + 134217728);
                },
                {"\"k\"", "134217728 numbers that are read"})};
}

// Arrays that are in order, and are no layer's.
std::vector<BadFile> strange_arrays() {
  const auto good = [] { return npy_of({2, 2}); };
  return {array("an array without a byte", [] { return stored("k.npy", {}); }, {"\"k\"", "not a .npy array"}),
          array("an array that is text", [] { return stored("k.npy", bytes_of("1,2")); },
                {"\"k\"", "not a .npy array"}),
          array("an archive in an archive", [] { return stored("k.npy", two_arrays()); },
                {"\"k\"", "not a .npy array"}),
          array("objects", [] { return stored("k.npy", fixture("object.npy")); },
                {"\"k\"", "object arrays", "float32"}),
          array("objects behind a bomb",
                [] { return promising(deflated("k.npy", fixture("object.npy")), 1ull << 33); },
                {"\"k\"", "object arrays"}),
          array("a structure", [] { return stored("k.npy", fixture("structured.npy")); },
                {"\"k\"", "structured"}),
          array("a name that is a path", [=] { return stored("../../etc/passwd.npy", good()); },
                {"\"../../etc/passwd\""}),
          array("a name of 60000 letters", [=] { return stored(std::string(60000, 'k') + ".npy", good()); },
                {"kkk"}),
          {"keys of five dimensions",
           [=] {
             return build({.members = {stored("q.npy", good()), stored("v.npy", good()),
                                       stored("k.npy", npy_of({1, 1, 2, 2, 2}))}});
           },
           {"array k", "1×1×2×2×2"}},
          array("keys without values", [=] { return stored("k.npy", good()); }, {"v"}),
          array("keys of another width",
                [] {
                  return stored("k.npy", npy_of({2, 3}));
                },
                {"v"})};
}

}  // namespace

BadFiles bad_npz() {
  return {"npz", [](std::span<const std::byte> bytes) { parse_npz<float>(bytes, kTruthArray); },
          joined({damaged_ends(), damaged_members()})};
}

BadFiles bad_archived_arrays() {
  return {"npz of arrays",
          [](std::span<const std::byte> bytes) { layer_from_arrays(parse_npz<float>(bytes, kTruthArray)); },
          joined({damaged_data(), bombs(), strange_arrays()})};
}

}  // namespace attn::tests
