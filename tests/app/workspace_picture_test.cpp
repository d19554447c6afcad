// Pictures of workspaces that have a place to look at: render's --at, and what it refuses.
#include <doctest/doctest.h>

#include "app/program/input.h"
#include "core/io/png.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/places.h"

using namespace attn;
using namespace attn::tests;

namespace {

Outcome rendered(const std::string& output, const std::vector<std::string>& more) {
  std::vector<std::string> words{
      "render", "the-cat-sat-on-mat", "--device", "reference", "-o", output, "--size", "1024x640"};
  words.insert(words.end(), more.begin(), more.end());
  return run_words(words);
}

}  // namespace

TEST_CASE("render looks at a position and draws its dimension in the picture and its session") {
  const TemporaryFolder folder;
  const std::string plain = folder / "plain.png", at = folder / "at.png";
  REQUIRE(rendered(plain, {"--workspace", "positions"}).status == kDone);
  REQUIRE(rendered(at, {"--workspace", "positions", "--at", "9,12"}).status == kDone);
  CHECK_FALSE(read_file(plain) == read_file(at));
  const Outcome again = run_words({"render", at, "--device", "reference", "-o", plain, "--size", "1024x640",
                                   "--workspace", "positions", "--at", "9,12"});
  REQUIRE(again.status == kDone);
  CHECK(read_file(plain) == read_file(at));
}

TEST_CASE("render draws the points of a file and looks at a query") {
  const TemporaryFolder folder;
  const std::string points = folder / "points.csv", plain = folder / "plain.png", at = folder / "at.png";
  write_file(points, "x,y\n1,2\n3,4\n8,1\n");
  const std::vector<std::string> words{"render", points, "--device", "reference", "--size", "1024x640"};
  const auto drawn = [&](const std::string& output, const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"-o", output, "--workspace", "kernels"});
    all.insert(all.end(), more.begin(), more.end());
    return run_words(all);
  };
  REQUIRE(drawn(plain, {}).status == kDone);
  CHECK(read_document(plain).kernels.points == Tensor({1, 3, 2}, {1, 2, 3, 4, 8, 1}));
  REQUIRE(drawn(at, {"--at", "2.5"}).status == kDone);
  CHECK_FALSE(read_file(plain) == read_file(at));
  const Outcome far = drawn(at, {"--at", "9"});
  CHECK(far.status == kBadWords);
  INFO(far.err);
  CHECK(contains(far.err, "the estimates are read from 1 to 8"));
  std::vector<std::string> pipeline = words;
  pipeline.insert(pipeline.end(), {"-o", folder / "none.png"});
  const Outcome none = run_words(pipeline);
  CHECK(none.status == kBadInput);
  CHECK(contains(none.err, "these are points and no layer"));
}

TEST_CASE("render draws the layer's row of a head and a query") {
  const TemporaryFolder folder;
  const std::string plain = folder / "plain.png", at = folder / "at.png";
  REQUIRE(rendered(plain, {"--workspace", "softmax"}).status == kDone);
  REQUIRE(rendered(at, {"--workspace", "softmax", "--at", "0,1"}).status == kDone);
  CHECK_FALSE(read_file(plain) == read_file(at));
  CHECK(read_document(at).softmax.query == 1);
  const Outcome far = rendered(at, {"--workspace", "softmax", "--at", "0,9"});
  CHECK(far.status == kBadWords);
  CHECK(contains(far.err, "last query 4"));
}

TEST_CASE("a place that is not there is refused with what there is") {
  const TemporaryFolder folder;
  const std::string file = folder / "out.png";
  const auto refused = [&](const std::vector<std::string>& words, const char* why) {
    const Outcome outcome = rendered(file, words);
    INFO(outcome.err);
    CHECK(outcome.status == kBadWords);
    CHECK(contains(outcome.err, why));
  };
  refused({"--workspace", "positions", "--at", "64,0"}, "64×32");
  refused({"--workspace", "positions", "--at", "3"}, "ROW,COLUMN");
  refused({"--at", "1,1"}, "has no place of its own to look at");
  CHECK(folder.holds_only({}));
}

TEST_CASE("render draws the costs at n tokens and at a step that has no stages") {
  const TemporaryFolder folder;
  const std::string plain = folder / "plain.png", at = folder / "at.png", step = folder / "step.png";
  REQUIRE(rendered(plain, {"--workspace", "cost"}).status == kDone);
  REQUIRE(rendered(at, {"--workspace", "cost", "--at", "65536"}).status == kDone);
  CHECK(read_document(at).cost.n == 65536);
  REQUIRE(rendered(step, {"--workspace", "cost", "--stage", "decode"}).status == kDone);
  CHECK_FALSE(read_file(plain) == read_file(at));
  CHECK_FALSE(read_file(plain) == read_file(step));
  const Outcome none = rendered(at, {"--workspace", "cost", "--at", "0.5"});
  CHECK(none.status == kBadWords);
  CHECK(contains(none.err, "n is a whole number from 1 to 1048576"));
  const Outcome unknown = rendered(at, {"--workspace", "cost", "--stage", "decod"});
  CHECK(unknown.status == kBadWords);
  CHECK(contains(unknown.err, "decode"));
}

TEST_CASE("a workspace without stages is not traced and says what prints its numbers") {
  const Outcome outcome = run_words({"trace", "the-cat-sat-on-mat", "--workspace", "cost"});
  CHECK(outcome.status == kBadWords);
  CHECK(contains(outcome.err, "attention-lab cost prints its counts"));
}
