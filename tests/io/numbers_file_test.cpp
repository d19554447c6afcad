// Numbers as files of their own: read back, and by NumPy bit for bit.
#include "core/io/numbers_file.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <random>

#include "core/io/npz.h"
#include "core/io/table_file.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/sanitized.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Any bits: subnormal numbers, −0, infinities and NaNs among them.
std::vector<float> any_floats(std::size_t count, std::mt19937& random) {
  std::vector<float> numbers(count);
  for (float& x : numbers) x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  const float special[] = {-0.0f, std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::quiet_NaN()};
  std::ranges::copy(special, numbers.begin());
  return numbers;
}

// The arrays of file.npz have the bytes of NAME.bin, and nothing else is in it. Python is watched by no
// sanitizer.
bool numpy_reads_the_same(const ScratchFolder& folder) {
  if (kSanitized) return true;
  const std::string script =
      "import glob, numpy as np, os, sys\n"
      "os.chdir(sys.argv[1])\n"
      "file = np.load('file.npz')\n"
      "assert sorted(file) == sorted(name[:-4] for name in glob.glob('*.bin')), sorted(file)\n"
      "for name in file:\n"
      "    kept = open(name + '.bin', 'rb').read()\n"
      "    assert file[name].tobytes() == kept, name\n"
      "    assert file[name].dtype == (np.float64 if 'double' in name else np.float32), name\n";
  write_file(folder / "read.py", script);
  return std::system(("/usr/bin/python3 -B '" + folder / "read.py" + "' '" + folder / "" + "'").c_str()) == 0;
}

template <class T>
void write_bits(const std::string& path, const std::vector<T>& numbers) {
  write_file(path, std::as_bytes(std::span(numbers)));
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return std::string(as_text(bytes));
}

}  // namespace

TEST_CASE("a matrix becomes an array that NumPy reads bit for bit") {
  std::mt19937 random(seed(77));
  const ScratchFolder folder;
  const std::vector<float> numbers = any_floats(3 * 5 * 4, random);
  const NamedMatrix matrix{.name = "weights", .values = Tensor({3, 5, 4}, numbers), .head = 2};
  write_file(folder / "file.npz", matrix_file(matrix, NumbersFormat::npz));
  write_bits(folder / "weights.bin", std::vector<float>(numbers.begin() + 2 * 5 * 4, numbers.end()));
  CHECK(numpy_reads_the_same(folder));
}

TEST_CASE("columns become arrays of floats and doubles that NumPy reads bit for bit whatever their names") {
  std::mt19937 random(seed(78));
  const ScratchFolder folder;
  const std::vector<float> floats = any_floats(50, random), few = any_floats(7, random);
  std::vector<double> doubles(50);
  for (double& x : doubles)
    x = std::bit_cast<double>((static_cast<std::uint64_t>(random()) << 32) | random());
  write_file(folder / "file.npz", columns_file(std::vector<NumberColumn>{{"loss", "Verlust σ²", floats},
                                                                         {"step", "double", doubles},
                                                                         {"step", "double", doubles},
                                                                         {"b", "few", few}},
                                               NumbersFormat::npz));
  write_bits(folder / "Verlust σ².bin", floats);
  write_bits(folder / "double.bin", doubles);
  write_bits(folder / "double 2.bin", doubles);
  write_bits(folder / "few.bin", few);
  CHECK(numpy_reads_the_same(folder));
}

TEST_CASE("a matrix as CSV has the names of its rows and columns and is read back to the last bit") {
  std::mt19937 random(seed(79));
  std::vector<float> numbers = any_floats(2 * 2 * 3, random);
  const NamedMatrix matrix{.name = "weights",
                           .values = Tensor({2, 2, 3}, numbers),
                           .head = 1,
                           .rows = {"the, \"cat\"", "=1+1"},
                           .columns = {"0", "1", "sat"}};
  const std::string text = text_of(matrix_file(matrix, NumbersFormat::csv));
  CHECK(text.starts_with(",\"0\",\"1\",sat\n\"the, \"\"cat\"\"\","));
  const TableFile table = parse_table_file(text);
  CHECK(table.rows == matrix.rows);
  CHECK(table.columns == matrix.columns);
  CHECK(table.matrix.shape == std::vector<std::size_t>{2, 3});
  for (std::size_t i = 0; i < 6; ++i) {
    const float is = table.matrix.values[i], was = numbers[6 + i];
    CHECK((std::bit_cast<std::uint32_t>(is) == std::bit_cast<std::uint32_t>(was) ||
           (std::isnan(is) && std::isnan(was))));
  }
}

TEST_CASE("columns as CSV end in blank cells where they are shorter") {
  const std::vector<NumberColumn> columns{{"n", "n", std::vector<double>{1, 0.1}},
                                          {"a, b", "a", std::vector<float>{0.1f}}};
  CHECK(text_of(columns_file(columns, NumbersFormat::csv)) == "n,\"a, b\"\n1,0.1\n0.1,\n");
  CHECK(columns_file({}, NumbersFormat::csv).empty());
}
