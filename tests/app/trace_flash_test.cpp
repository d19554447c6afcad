// trace by flash attention, and of chosen stages alone: the numbers are those of the layer with every stage.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "core/checks/comparison.h"
#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Arrays = std::map<std::string, Array>;

Arrays traced_cat(const std::vector<std::string>& words, std::string* err = nullptr) {
  const TemporaryFolder folder;
  std::vector<std::string> all{"trace", "the-cat-sat-on-mat", "-o", folder / "out.npz"};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = run_words(all);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  if (err) *err = outcome.err;
  return parse_npz<float>(read_file(folder / "out.npz"));
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

double farthest(const Array& a, const Array& b) {
  REQUIRE(a.shape == b.shape);
  double most = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) most = std::max(most, distance(a.values[i], b.values[i]));
  return most;
}

TEST_CASE("trace by flash attention gives the outputs of the layer with every stage") {
  const std::vector<std::vector<std::string>> layers{
      {},
      {"--mask", "causal"},
      {"--mask", "strided:2"},
      {"--mask", "causal", "--mask", "window:2", "--soft-cap", "2"},
      {"--position", "alibi", "--weighting", "softmax-1"},
      {"--position", "t5:8:20:1", "--mask", "padding:3"},
      {"--position", "rope", "--temperature", "0.5"}};
  for (const std::vector<std::string>& layer : layers)
    for (const char* device : {"reference", "auto"}) {
      const auto words = with(layer, {"--device", device});
      std::string err;
      const Arrays full = traced_cat(words), flash = traced_cat(with(words, {"--mechanism", "flash"}), &err);
      CHECK(contains(err, "by flash attention: no scores, no weights"));
      CHECK_FALSE(flash.contains("scores"));
      CHECK_FALSE(flash.contains("weights"));
      for (const char* stage : {"q", "k", "v", "head_output", "concat", "output"})
        CHECK(farthest(flash.at(stage), full.at(stage)) < 4e-6);
      // The sum of a row's exponentials, less its maximum: of softmax-1 both are of the row and a score 0.
      for (std::size_t row = 0; row < 5; ++row) {
        const double expected =
            full.at("row_max").values[row] + std::log(static_cast<double>(full.at("row_sum").values[row]));
        CHECK(flash.at("log_sum").values[row] == doctest::Approx(expected).epsilon(1e-5));
      }
    }
}

TEST_CASE("trace by flash attention makes no matrix of a stride's mask") {
  const TemporaryFolder folder;
  Document document;
  LayerSpec& layer = document.layer();
  layer.direct = true;
  layer.q = drawn({2, 64, 4}, 1), layer.k = drawn({2, 64, 4}, 2), layer.v = drawn({2, 64, 4}, 3);
  layer.heads = layer.kv_heads = 2;
  write_file(folder / "long.json", write_session(document));
  const auto traced = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"trace", folder / "long.json", "--mask", "strided:8",
                                   "-o",    folder / "out.npz"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_words(words);
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == kDone);
    return parse_npz<float>(read_file(folder / "out.npz"));
  };
  for (const char* device : {"reference", "auto"}) {
    const Arrays flash = traced({"--mechanism", "flash", "--device", device});
    CHECK_FALSE(flash.contains("mask"));
    CHECK(farthest(flash.at("head_output"), traced({"--device", device}).at("head_output")) < 4e-6);
  }
}

TEST_CASE("trace by flash attention writes the weights where they are asked for") {
  for (const char* device : {"reference", "auto"})
    for (const std::vector<std::string>& layer :
         std::vector<std::vector<std::string>>{{},
                                               {"--mask", "causal"},
                                               {"--mask", "strided:2"},
                                               {"--position", "t5:8:20:1", "--mask", "padding:0"}}) {
      const auto words = with(layer, {"--device", device, "--only", "weights,output"});
      std::string err;
      const Arrays flash = traced_cat(with(words, {"--mechanism", "flash"}), &err);
      CHECK(contains(err, "by flash attention: no scores"));
      CHECK_FALSE(contains(err, "no weights"));
      CHECK(flash.size() == 2);
      const Arrays full = traced_cat(with(words, {"--mechanism", "full"}));
      for (const char* stage : {"weights", "output"}) CHECK(farthest(flash.at(stage), full.at(stage)) < 4e-6);
    }
}

TEST_CASE("trace says by which tiles flash attention went, and goes by those that are asked for") {
  std::string err;
  const Arrays own = traced_cat({"--mechanism", "flash"}, &err);
  const std::string said = "its tiles: --mechanism flash:";
  REQUIRE(contains(err, said));
  const std::string tiles = err.substr(err.find(said) + said.size());
  const std::string word = "flash:" + tiles.substr(0, tiles.find('\n'));
  CHECK(farthest(traced_cat({"--mechanism", word}).at("output"), own.at("output")) == 0);
  const Arrays others = traced_cat({"--mechanism", "flash:6,64"}, &err);
  CHECK(contains(err, said + "6,64"));
  CHECK(farthest(others.at("output"), own.at("output")) < 4e-6);
  traced_cat({"--mechanism", "flash", "--device", "reference"}, &err);
  CHECK_FALSE(contains(err, said));

  const auto refused = [](const std::string& mechanism, const std::string& device) {
    return run_words({"trace", "the-cat-sat-on-mat", "--device", device, "--mechanism", mechanism});
  };
  const Outcome uneven = refused("flash:7,100", "auto");
  CHECK(uneven.status == kBadWords);
  CHECK(contains(uneven.err, "takes tiles of 6, 12, 24 or 48 rows and 64, 128, 192, 256 or 384 keys"));
  CHECK(contains(refused("flash:24,192", "reference").err, "reference has no tiles: use --mechanism flash"));
  for (const char* wrong : {"flash:", "flash:24", "flash:24,", "flash:0,64", "flash:a,b", "flash:1,2,3"})
    CHECK(contains(refused(wrong, "reference").err, "flash or flash:ROWS,KEYS"));
}

TEST_CASE("trace --only writes these stages and no others, by flash attention where that makes them") {
  std::string err;
  const Arrays scores = traced_cat({"--only", "scores,output"}, &err);
  CHECK(scores.size() == 2);
  CHECK(scores.contains("scores"));
  CHECK_FALSE(contains(err, "by flash attention"));
  const Arrays output = traced_cat({"--only", "output"}, &err);
  CHECK(output.size() == 1);
  CHECK(contains(err, "by flash attention"));
  CHECK(farthest(output.at("output"), scores.at("output")) < 4e-6);
  traced_cat({"--only", "output", "--mechanism", "full"}, &err);
  CHECK_FALSE(contains(err, "by flash attention"));
  traced_cat({"--only", "output", "--weighting", "sparsemax"}, &err);
  CHECK_FALSE(contains(err, "by flash attention"));
}

TEST_CASE("what flash attention cannot compute is refused by name") {
  const auto refused = [](const std::vector<std::string>& words) {
    const Outcome outcome = run_words(with({"trace", "the-cat-sat-on-mat", "--mechanism", "flash"}, words));
    CHECK(outcome.status != kDone);
    return outcome.err;
  };
  CHECK(contains(refused({"--weighting", "sparsemax"}),
                 "weighting sparsemax cannot be computed with a running sum"));
  CHECK(contains(refused({"--temperature", "0"}), "weighting hard cannot be computed with a running sum"));
  CHECK(contains(refused({"--score", "additive"}), "score additive is not a product of queries and keys"));
  CHECK(contains(refused({"--dropout", "0.1:42"}), "dropout is drawn for each weight"));
  CHECK(contains(refused({"--precision", "float16"}), "precision float16 rounds every stage"));
  CHECK(contains(refused({"--position", "relative:3:1"}), "relative positions need the weights by offset"));
  CHECK(contains(refused({"--mask", "causal", "--fill", "-1e9"}), "masked scores are filled with a number"));
  CHECK(contains(refused({"--softmax-over", "queries"}), "the softmax is over queries"));
  CHECK(contains(refused({"--mask", "causal", "--mask-at", "after"}), "the mask comes after the softmax"));
  CHECK(contains(refused({"--only", "scores"}), "--only"));
  CHECK(contains(refused({"--workspace", "positions"}), "--mechanism flash computes the Pipeline's layer"));
  const Outcome outcome = run_words({"trace", "the-cat-sat-on-mat", "--mechanism", "flush"});
  CHECK(outcome.status == kBadWords);
  CHECK(contains(outcome.err, "flash"));
}

}  // namespace
