// What commands hand out, all or nothing, and what they leave alone.
#include <doctest/doctest.h>

#include "core/system/file.h"
#include "tests/app/shell.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a table that cannot be printed leaves no file behind and an older one as it was") {
  const std::string compare =
      "\"$lab\" compare three-tokens --mask causal --device reference -o \"$folder/diff.npz\" ";
  const TemporaryFolder folder;
  const Outcome nothing =
      run_shell(compare + ">/dev/full; status=$?; ls -A \"$folder\"; exit $status", folder);
  CHECK(nothing.status == kNotWritten);
  CHECK(contains(nothing.err, "the standard output could not be written: No space left on device"));
  CHECK_FALSE(contains(nothing.out, "diff.npz"));
  CHECK_FALSE(contains(nothing.out, ".tmp"));
  const Outcome older = run_shell("echo older >\"$folder/diff.npz\"; " + compare + ">/dev/full", folder);
  CHECK(older.status == kNotWritten);
  CHECK(text_of(folder / "diff.npz") == "older\n");
  const Outcome closed = run_shell(compare + ">&-", folder);
  CHECK(closed.status == kNotWritten);
  CHECK(text_of(folder / "diff.npz") == "older\n");
  CHECK(run_shell(compare, folder).status == kDifferent);
  CHECK(text_of(folder / "diff.npz").starts_with("PK"));
}

TEST_CASE("a file that cannot be written is told before anything is printed") {
  const Outcome outcome = run_shell(
      "ulimit -f 1; \"$lab\" compare the-cat-sat-on-mat-two-heads --mask causal --device reference -o "
      "\"$folder/diff.npz\" | cat");
  CHECK(contains(outcome.err, "cannot write"));
  CHECK(outcome.out.empty());
}

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
             {"render", "three-tokens", "--workspace", "compare", "--compare", layer}}) {
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

TEST_CASE("numpy reads the numbers beside a picture bit for bit" * doctest::test_suite("unsanitized")) {
  const Outcome outcome =
      run_shell("/usr/bin/python3 \"$source/tests/app/check_numbers.py\" \"$lab\" \"$folder\"");
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
}
