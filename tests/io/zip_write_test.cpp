// Archives written: read back by Python's zipfile, which knows zip64, also where members and their places
// need more than 32 bits.
#include "core/io/zip_write.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

#include "core/io/npz.h"
#include "tests/io/io_testing.h"
#include "tests/places.h"

namespace attn::tests {
namespace {

// A sink that writes what is not zeros: the file has holes where the large member is.
class SparseFile {
 public:
  explicit SparseFile(const std::string& path) : file_(path, std::ios::binary) {}
  void operator()(Bytes bytes) {
    if (bytes.size() >= kLarge) {
      at_ += bytes.size();
      return;
    }
    file_.seekp(static_cast<std::streamoff>(at_));
    file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    at_ += bytes.size();
  }
  std::uint64_t size() const { return at_; }
  static constexpr std::size_t kLarge = std::size_t{1} << 26;

 private:
  std::ofstream file_;
  std::uint64_t at_ = 0;
};

TEST_CASE("a member of more than 4 GiB and the members behind it are found by another reader") {
  const std::string path = std::string(kBinaryDir) + "/zip64-test.zip";
  const std::vector<std::byte> zeros(SparseFile::kLarge), last = bytes_of("the last member");
  const std::vector<Bytes> large(65, Bytes(zeros));  // 4 GiB and 64 MiB
  std::uint64_t expected = 0, written = 0;
  {
    SparseFile file(path);
    ZipWriter zip([&](Bytes bytes) { file(bytes); });
    zip.add("large", large);
    zip.add("last", std::vector<Bytes>{last});
    zip.finish();
    written = file.size();
    expected =
        ZipWriter::member_size("large", 65 * zeros.size()) + ZipWriter::member_size("last", last.size());
  }
  CHECK(written >= expected);
  CHECK(written < expected + 200);  // the directory's end
  const std::string script =
      "import sys, zipfile\n"
      "z = zipfile.ZipFile(sys.argv[1])\n"
      "assert [i.filename for i in z.infolist()] == [\"large\", \"last\"]\n"
      "assert z.getinfo(\"large\").file_size == 65 << 26\n"
      "assert z.getinfo(\"last\").header_offset > 1 << 32\n"
      "assert z.read(\"last\") == b\"the last member\"\n"
      "with z.open(\"large\") as f: assert f.read(1000) == bytes(1000)\n";
  CHECK(std::system(("/usr/bin/python3 -c '" + script + "' '" + path + "'").c_str()) == 0);
  std::remove(path.c_str());
}

TEST_CASE("small archives need no zip64 and are read back") {
  std::vector<std::byte> bytes;
  const std::vector<float> first{1, 2, 3}, second{4, 5, 6};
  NpzWriter npz([&](Bytes more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
  const std::vector<std::span<const float>> pieces{first, second};
  const std::vector<std::size_t> shape{2, 3};
  npz.add("both", shape, pieces);
  npz.finish();
  const auto arrays = parse_npz<double>(bytes);
  CHECK(arrays.at("both").shape == shape);
  CHECK(arrays.at("both").values == std::vector<double>{1, 2, 3, 4, 5, 6});
}

}  // namespace
}  // namespace attn::tests
