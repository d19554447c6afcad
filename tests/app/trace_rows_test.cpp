// trace --rows: the rows of every stage that the whole layer has there.
#include <doctest/doctest.h>

#include "core/checks/comparison.h"
#include "core/io/npz.h"
#include "core/system/file.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::map<std::string, Array> traced_causal(std::vector<std::string> words) {
  const TemporaryFolder folder;
  words.insert(words.begin(), {"trace", "the-cat-sat-on-mat-causal", "-o", folder / "out.npz"});
  const Outcome outcome = run_words(words);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  return parse_npz<float>(read_file(folder / "out.npz"));
}

}  // namespace

TEST_CASE("trace of some rows writes what the whole layer has there") {
  for (const char* device : {"reference", "auto"})
    for (const char* mechanism : {"full", "flash"}) {
      const std::vector<std::string> words{"--device", device, "--mechanism", mechanism};
      std::vector<std::string> some = words;
      some.insert(some.end(), {"--rows", "2:4"});
      const auto whole = traced_causal(words), rows = traced_causal(some);
      CHECK(rows.size() == whole.size());
      for (const auto& [name, array] : rows) {
        const Array& all = whole.at(name);
        INFO(name);
        REQUIRE(array.shape.size() == all.shape.size());
        const std::size_t axis = all.shape.size() - 2, columns = all.shape.back();
        const std::size_t n = all.shape[axis], count = array.shape[axis];
        const std::size_t first = name == "k" || name == "v" ? 0 : 2;
        CHECK(count == (first == 0 ? n : 2));
        for (std::size_t i = 0; i < array.values.size(); ++i) {
          const std::size_t row = i / columns;
          const double there = all.values[(row / count * n + first + row % count) * columns + i % columns];
          CHECK(distance(array.values[i], there) <= accepted_distance(there));
        }
      }
    }
}

TEST_CASE("rows that trace cannot write are refused with those that there are") {
  for (const char* rows : {"3:3", "0:6", "2", "a:b", "1:2:3", "-1:2", ":"}) {
    const Outcome outcome = run_words({"trace", "the-cat-sat-on-mat", "--rows", rows});
    CHECK(outcome.status != kDone);
    CHECK(contains(outcome.err, "I:J with 0 ≤ I < J ≤ 5"));
  }
}
