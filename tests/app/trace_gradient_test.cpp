// trace --gradient: what it writes, by which road, what it refuses; and compare with gradients.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>

#include "core/checks/comparison.h"
#include "core/io/npz.h"
#include "core/system/file.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Arrays = std::map<std::string, Array>;

Outcome run_gradient(const std::string& input, std::vector<std::string> words) {
  words.insert(words.begin(), {"trace", input, "--gradient"});
  return run_words(words);
}

Arrays gradients_of(const std::string& input, std::vector<std::string> words) {
  const TemporaryFolder folder;
  words.insert(words.end(), {"-o", folder / "out.npz"});
  const Outcome outcome = run_gradient(input, std::move(words));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  return parse_npz<float>(read_file(folder / "out.npz"));
}

void check_alike(const Array& a, const Array& b) {
  REQUIRE(a.shape == b.shape);
  double largest = 0;
  for (const float x : b.values) largest = std::max(largest, static_cast<double>(std::abs(x)));
  for (std::size_t i = 0; i < a.values.size(); ++i)
    CHECK(std::abs(a.values[i] - b.values[i]) <= 2e-6 * largest + 2e-5 * std::abs(b.values[i]));
}

constexpr const char* kTwoHeads = "the-cat-sat-on-mat-two-heads";

}  // namespace

TEST_CASE("gradients are written beside their stages in their shapes with a loss of one number") {
  const Arrays found = gradients_of(kTwoHeads, {"--mask", "causal"});
  CHECK(found.at("loss").shape == std::vector<std::size_t>{1, 1});
  double sum = 0;
  for (const float x : found.at("output").values) sum += x;
  CHECK(found.at("loss").values[0] == doctest::Approx(sum));
  for (const char* name :
       {"x", "q", "k", "v", "scores", "scaled", "masked", "weights", "head_output", "concat"}) {
    CAPTURE(name);
    CHECK(found.at(std::string("d_") + name).shape == found.at(name).shape);
  }
  for (const char* name : {"d_w_q", "d_w_k", "d_w_v", "d_temperature"}) CHECK(found.contains(name));
  for (const float one : found.at("d_output").values) CHECK(one == 1);
  CHECK_FALSE(found.contains("d_mask"));
  CHECK_FALSE(found.contains("upstream"));
  const Array &masked = found.at("d_masked"), &mask = found.at("mask");
  for (std::size_t i = 0; i < masked.values.size(); ++i)
    if (mask.values[i] != 0) CHECK(masked.values[i] == 0);
}

TEST_CASE("gradients of inputs alone go by flash attention and are those of the stages") {
  const std::vector<std::string> only{"--only", "d_x,d_w_q,d_w_k,d_w_v", "--upstream", "cell:2,1", "--mask",
                                      "causal"};
  const TemporaryFolder folder;
  std::vector<std::string> words = only;
  words.insert(words.end(), {"-o", folder / "out.npz"});
  const Outcome outcome = run_gradient(kTwoHeads, words);
  REQUIRE(outcome.status == kDone);
  CHECK(contains(outcome.err, "by flash attention"));
  const Arrays fast = parse_npz<float>(read_file(folder / "out.npz"));
  CHECK(fast.size() == 4);
  std::vector<std::string> full = only;
  full.insert(full.end(), {"--mechanism", "full"});
  const Arrays slow = gradients_of(kTwoHeads, full);
  for (const auto& [name, array] : fast) {
    CAPTURE(name);
    check_alike(array, slow.at(name));
  }
  // Weights and scores come by the stages, without being asked to.
  const Arrays some = gradients_of(kTwoHeads, {"--only", "loss,d_scaled,d_weights,d_temperature"});
  CHECK(some.size() == 4);
  // What passes to a table of biases needs the scores.
  CHECK(gradients_of(kTwoHeads, {"--only", "d_x", "--position", "t5:4:8:1"}).size() == 1);
  CHECK(contains(run_gradient(kTwoHeads, {"--mechanism", "flash", "--position", "t5:4:8:1"}).err,
                 "compute the layer by stages"));
}

TEST_CASE("gradients by flash attention are those of the stages under masks, with positions and a soft cap") {
  const std::vector<std::vector<std::string>> layers{{},
                                                     {"--mask", "causal"},
                                                     {"--mask", "window:2"},
                                                     {"--mask", "padding:3"},
                                                     {"--mask", "causal", "--position", "alibi"},
                                                     {"--mask", "causal", "--position", "rope"},
                                                     {"--soft-cap", "0.5"}};
  for (const char* input : {kTwoHeads, "eight-heads", "cross-attention"})
    for (std::vector<std::string> words : layers) {
      words.insert(words.end(), {"--only", "d_x,d_w_q,d_w_k,d_w_v", "--upstream", "cell:2,1"});
      std::vector<std::string> full = words, fast = words;
      full.insert(full.end(), {"--mechanism", "full"}), fast.insert(fast.end(), {"--mechanism", "flash"});
      const Arrays slow = gradients_of(input, full), by_flash = gradients_of(input, fast);
      REQUIRE(by_flash.size() == 4);
      for (const auto& [name, array] : by_flash) {
        CAPTURE(input);
        CAPTURE(name);
        CAPTURE(words);
        check_alike(array, slow.at(name));
      }
    }
}

TEST_CASE("every loss is read from its words, and its files") {
  const TemporaryFolder folder;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::size_t> shape{3, 4};
  write_file(folder / "g.npy", write_npy(shape, std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}));
  write_file(folder / "t.npy",
             write_npy(shape, std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, nan, nan, nan, nan}));
  const Arrays typed = gradients_of("three-tokens", {"--upstream", folder / "g.npy"});
  // Worked example A: dQ of the first token.
  const std::vector<double> d_q{.097456, -.645593, .645593, -.097456};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(typed.at("d_q").values[i] - d_q[i]) < 1e-6);
  const Arrays square = gradients_of("three-tokens", {"--upstream", "mse:" + (folder / "t.npy")});
  for (std::size_t i = 8; i < 12; ++i) CHECK(square.at("d_output").values[i] == 0);
  const Arrays labels = gradients_of("three-tokens", {"--upstream", "cross-entropy:0,-1,3"});
  for (std::size_t i = 4; i < 8; ++i) CHECK(labels.at("d_output").values[i] == 0);
  CHECK(labels.at("loss").values[0] > 0);
}

TEST_CASE("a loss that cannot be is refused with what would do") {
  const auto refused = [](std::vector<std::string> words) {
    const Outcome outcome = run_gradient("three-tokens", std::move(words));
    CHECK(outcome.status != kDone);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(contains(refused({"--upstream", "twos"}), "cell:ROW,COLUMN"));
  CHECK(contains(refused({"--upstream", "cell:1"}), "cell:ROW,COLUMN"));
  CHECK(contains(refused({"--upstream", "cell:3,0"}), "no cell [3, 0]"));
  CHECK(contains(refused({"--upstream", "cross-entropy:0,1"}), "2 labels"));
  CHECK(contains(refused({"--upstream", "nowhere.npy"}), "nowhere.npy"));
  CHECK(contains(refused({"--rows", "0:1"}), "--rows"));
  CHECK(contains(refused({"--workspace", "heads"}), "not the workspace"));
  for (const char* command : {"trace", "compare"}) {
    const Outcome upstream = run_words({command, "three-tokens", "--mask", "causal", "--upstream", "ones"});
    CHECK(upstream.status == kBadWords);
    CHECK(contains(upstream.err, "--gradient"));
  }
  const Outcome without = run_words({"trace", "three-tokens", "--check"});
  CHECK(without.status == kBadWords);
  CHECK(contains(without.err, "--gradient"));
}

TEST_CASE("check holds every input number against central differences and says which is the worst") {
  for (const char* input : {"three-tokens", kTwoHeads, "cross-attention"}) {
    const Outcome checked = run_gradient(input, {"--check", "--only", "d_output"});
    CAPTURE(checked.out);
    CHECK(checked.status == kDone);
    CHECK(contains(checked.out, "against central differences"));
    CHECK(contains(checked.out, "accepted"));
  }
  const Outcome undefined = run_gradient(
      "three-tokens", {"--check", "--only", "d_output", "--mask", "padding:0", "--empty-row", "nan"});
  CHECK(undefined.status == kDifferent);
  CHECK(contains(undefined.out, "the loss is nan"));
  const Outcome bent =
      run_gradient("three-tokens", {"--check", "--only", "d_output", "--precision", "float16"});
  CHECK(bent.status == kDone);
}

TEST_CASE("compare takes gradients as stages") {
  const TemporaryFolder folder;
  REQUIRE(run_gradient("three-tokens", {"--upstream", "cell:0,1", "-o", folder / "mine.npz"}).status ==
          kDone);
  const std::vector<std::string> words{"compare",    "three-tokens", folder / "mine.npz",
                                       "--gradient", "--upstream",   "cell:0,1"};
  const Outcome same = run_words(words);
  CAPTURE(same.out);
  CAPTURE(same.err);
  CHECK(same.status == kDone);
  CHECK(contains(same.out, "d_weights"));
  std::vector<std::string> other = words;
  other.back() = "cell:0,2";
  const Outcome differs = run_words(other);
  CHECK(differs.status == kDifferent);
  CHECK(contains(differs.out, "the first that differs is"));
}
