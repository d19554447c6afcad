// What commands leave alone.
#include <doctest/doctest.h>

#include "core/io/file.h"
#include "tests/app/shell.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("no command writes over a file that it reads under whatever name") {
  const TemporaryFolder folder;
  const std::string layer = folder / "layer.npz", points = folder / "points.csv", link = folder / "link";
  REQUIRE(run_words({"trace", "three-tokens", "--device", "reference", "-o", layer}).status == kDone);
  write_file(points, std::string("0,1\n1,2\n2,0\n"));
  std::filesystem::create_symlink(layer, link);
  const auto before = read_file(layer);
  const std::string same = folder / "./layer.npz";
  for (const std::string& output : {layer, same, link})
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"trace", layer},
             {"compare", layer, "three-tokens"},
             {"compare", "three-tokens", layer},
             {"render", layer},
             {"render", "three-tokens", "--workspace", "compare", "--beside", layer}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"--device", "reference", "-o", output});
      const Outcome outcome = run_words(all);
      INFO(words[0], ": ", outcome.err);
      CHECK(outcome.status == kBadWords);
      CHECK(contains(outcome.err, "which is an input: choose another name"));
      CHECK(read_file(layer) == before);
    }
  CHECK(run_words({"regress", points, "--kernel", "gaussian", "--width", "1", "-o", points}).status ==
        kBadWords);
  CHECK(read_file(points).size() == 12);
}
