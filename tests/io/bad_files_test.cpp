// Two hundred bad files: each is refused with its place and the reason, for twice its size and 16 MiB of
// memory. That takes less than a tenth of a second each, which no test asserts: that nothing is read twice,
// some readers here do.
#include "tests/io/bad_files.h"

#include <doctest/doctest.h>

#include <set>

#include "core/io/points_file.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/io/io_testing.h"

namespace attn::tests {
namespace {

std::vector<BadFiles> all_bad_files() {
  return {bad_sessions(), bad_layers(),   bad_npy(), bad_npz(),    bad_archived_arrays(), bad_safetensors(),
          bad_tables(),   bad_pictures(), bad_svg(), bad_points(), bad_foreign()};
}

// Once, before memory is counted: what is made at the first use stays.
void check_refused(const BadFiles& kind, const BadFile& file) {
  CAPTURE(kind.format);
  CAPTURE(file.name);
  const std::vector<std::byte> bytes = file.bytes();
  std::string why;
  const auto peak = peak_of([&] { why = reason([&] { kind.read(bytes); }); });
  CAPTURE(why);
  CHECK(why != "no error");
  CHECK(why.size() < 1000);
  for (const char* part : file.said) CHECK(why.find(part) != std::string::npos);
  CHECK(!file.said.empty());
  if (peak) CHECK(*peak <= 2 * bytes.size() + (std::size_t{16} << 20));
}

TEST_CASE("two hundred bad files are refused with place and reason, for little memory") {
  std::size_t count = 0;
  for (const BadFiles& kind : all_bad_files()) {
    std::set<std::string> names;
    for (const BadFile& file : kind.files) {
      check_refused(kind, file);
      CHECK(names.insert(file.name).second);
    }
    count += names.size();
  }
  CHECK(count >= 200);
}

TEST_CASE("a reader that knows the file's name says it") {
  const ScratchFolder folder;
  write_file(folder / "some points.csv", bytes_of("1,2\n3,x\n"));
  CHECK(mentions(reason([&] { read_points(folder / "some points.csv"); }),
                 {"some points.csv: line 2, column 2"}));
}

}  // namespace
}  // namespace attn::tests
