// Archives written: read back by NumPy and by Python's zipfile, which know zip64, also where members and
// their places need more than 32 bits.
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

TEST_CASE("numpy reads the arrays behind one of more than 4 GiB and the shape of that one") {
  const std::string path = std::string(kBinaryDir) + "/zip64-test.npz";
  const std::vector<float> zeros(SparseFile::kLarge / sizeof(float)), last{1.5f, -2, 3};
  const std::vector<std::span<const float>> large(65, std::span<const float>(zeros));  // 4 GiB and 64 MiB
  const std::vector<std::size_t> large_shape{65, zeros.size()}, last_shape{3};
  std::uint64_t expected = 0, written = 0;
  {
    SparseFile file(path);
    NpzWriter npz([&](Bytes bytes) { file(bytes); });
    npz.add("large", large_shape, large);
    npz.add("last", last_shape, std::vector<std::span<const float>>{last});
    npz.finish();
    written = file.size();
    expected = NpzWriter::array_size("large", large_shape) + NpzWriter::array_size("last", last_shape);
  }
  CHECK(written + 2 * (ZipWriter::kAlignment + 12) >= expected);  // what aligns them takes less than it may
  CHECK(written < expected + 200);                                // the directory's end
  const std::string script =
      "import sys, zipfile\n"
      "import numpy as np\n"
      "z = zipfile.ZipFile(sys.argv[1])\n"
      "assert [i.filename for i in z.infolist()] == [\"large.npy\", \"last.npy\"]\n"
      "assert z.getinfo(\"large.npy\").file_size == (65 << 26) + 128\n"
      "assert z.getinfo(\"last.npy\").header_offset > 1 << 32\n"
      "with z.open(\"large.npy\") as f:\n"
      "    assert np.lib.format.read_magic(f) == (1, 0)\n"
      "    assert np.lib.format.read_array_header_1_0(f)[0] == (65, 1 << 24)\n"
      "    assert f.read(1000) == bytes(1000)\n"
      "assert np.load(sys.argv[1])[\"last\"].tolist() == [1.5, -2, 3]\n";
  CHECK(std::system(("/usr/bin/python3 -c '" + script + "' '" + path + "'").c_str()) == 0);
  std::remove(path.c_str());
}

TEST_CASE("numbers are written from where they are") {
  const std::vector<float> numbers(1000, 1.0f);
  const Bytes place = std::as_bytes(std::span(numbers));
  bool whole = false;
  std::size_t copied = 0;
  NpzWriter npz([&](Bytes bytes) {
    if (bytes.data() == place.data() && bytes.size() == place.size())
      whole = true;
    else
      copied += bytes.size();
  });
  npz.add("numbers", std::vector<std::size_t>{1000}, std::vector<std::span<const float>>{numbers});
  npz.finish();
  CHECK(whole);
  CHECK(copied < 500);  // headers and the directory
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
