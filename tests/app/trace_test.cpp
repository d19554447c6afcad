// trace: what it prints and what it writes.
#include <doctest/doctest.h>
#include <map>

#include <cmath>

#include "app/cli/commands.h"
#include "app/program/input.h"
#include "core/io/npz.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/graphs.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::vector<std::byte> float_npy(std::vector<std::size_t> shape, const std::vector<float>& values) {
  return write_npy(shape, values);
}

// Worked example A: three tokens, q, k and v given.
void write_three_tokens(const std::string& path) {
  const std::vector<std::pair<std::string, std::vector<std::byte>>> members{
      {"q", float_npy({3, 4}, {1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0})},
      {"k", float_npy({3, 4}, {1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0})},
      {"v", float_npy({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})}};
  write_file(path, write_npz(members));
}

// The reference, with the first weight of the second head moved.
class Wrong : public Backend {
 public:
  std::string name() const override { return "wrong"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    const Tensor right = reference_->run(operation, inputs);
    const Cell cell{1, 0, 0};
    return std::holds_alternative<Normalize>(operation) ? with_value(right, cell, right[cell] + 0.01f)
                                                        : right;
  }

 private:
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

// The reference, and the names of what it computed.
class Noting : public Backend {
 public:
  std::string name() const override { return kReference; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    if (!given_tensor(operation)) computed.emplace_back(attn::name(operation));
    return reference_->run(operation, inputs);
  }
  std::vector<std::string> computed;

 private:
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

std::map<std::string, Array> traced(const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  std::vector<std::string> all{"trace", "-o", folder / "out.npz"};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = run_words(all);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  CHECK(folder.holds_only({"out.npz"}));
  return parse_npz<float>(read_file(folder / "out.npz"));
}

}  // namespace

TEST_CASE("the printed stages hold the numbers of the worked example") {
  const Outcome outcome = run_words({"trace", "three-tokens", "--device", "reference"});
  REQUIRE(outcome.status == kDone);
  for (const char* stage : {"\nscores · QKᵀ · 3×3\n", "\nweights · ", "\noutput · "})
    CHECK(contains(outcome.out, stage));
  for (const char* number :
       {"0.2741", "0.4519", "0.3837", "0.2327", "0.5065", "0.1863", "5.7112", "8.7112", "4.3962", "7.2029"})
    CHECK(contains(outcome.out, number));
  CHECK(contains(outcome.err, "reference"));
}

TEST_CASE("masked scores are printed as minus infinity") {
  const Outcome outcome = run_words({"trace", "three-tokens", "--device", "reference", "--mask", "causal"});
  REQUIRE(outcome.status == kDone);
  CHECK(contains(outcome.out, "−∞"));
}

TEST_CASE("an npz of q k and v is traced whatever the file is called") {
  const TemporaryFolder folder;
  const std::string input = folder / "numbers.json";
  write_three_tokens(input);
  const auto arrays = traced({input, "--device", "reference"});
  const Array& weights = arrays.at("weights");
  CHECK(weights.shape == std::vector<std::size_t>{1, 3, 3});
  // softmax([½ ½ 1]): the last key has e^½ times the weight of the others.
  const double e = std::exp(0.5);
  CHECK(std::abs(weights.values[2] - e / (2 + e)) <= 1e-6);
  CHECK(arrays.at("output").shape == std::vector<std::size_t>{3, 4});
}

TEST_CASE("points are traced by the workspace that shows them and by no other") {
  const TemporaryFolder folder;
  const std::string points = folder / "points.csv";
  write_file(points, "1,2\n3,2\n8,2\n");
  const Outcome refused = run_words({"trace", points});
  CHECK(refused.status == kBadInput);
  INFO(refused.err);
  CHECK(contains(refused.err, "these are points and no layer: --workspace kernels shows them"));
  const auto arrays = traced({points, "--workspace", "kernels"});
  const auto estimate = arrays.find("gaussian.estimate");
  REQUIRE(estimate != arrays.end());
  for (const float y : estimate->second.values) CHECK(y == doctest::Approx(2));
}

TEST_CASE("a session without a layer is traced by a workspace that needs none") {
  const TemporaryFolder folder;
  const std::string path = folder / "points.json";
  write_file(path,
             "{\"format\": \"attention-lab session\", \"version\": 2,"
             " \"kernels\": {\"kernels\": [\"boxcar\", \"gaussian\"]}}");
  CHECK(traced({path, "--workspace", "kernels"}).contains("boxcar.estimate"));
  const Outcome refused = run_words({"trace", path});
  CHECK(refused.status == kBadInput);
  INFO(refused.err);
  CHECK(contains(refused.err, "x is missing"));
}

TEST_CASE("the output has the stages that exist and no others") {
  const auto names = [](const std::vector<std::string>& words) {
    std::vector<std::string> list;
    for (const auto& [name, array] : traced(words)) list.push_back(name);
    return list;
  };
  CHECK(names({"three-tokens", "--device", "reference"}) ==
        std::vector<std::string>{"concat", "exp", "head_output", "k", "output", "q", "row_max", "row_sum",
                                 "scaled", "scores", "v", "weights"});
  CHECK(names({"the-cat-sat-on-mat", "--device", "reference", "--mask", "causal", "--dropout", "0.1:1"}) ==
        std::vector<std::string>{"concat", "dropped", "exp", "head_output", "k", "mask", "masked", "output",
                                 "position", "q", "row_max", "row_sum", "scaled", "scores", "v", "weights",
                                 "x"});
}

TEST_CASE("every stage of a graph of several layers is written and printed") {
  const TemporaryFolder folder;
  const Document document = read_document("the-cat-sat-on-mat-two-heads");
  for (const Plan* plan : {&kSideBySide, &kOneAfterOther}) {
    const Graph graph = plan->build(document, kLayerA).graph;
    const auto backend = make_reference_backend();
    std::ostringstream notes;
    Console console(devices(), notes, [](std::string_view) {});
    trace_stages(*backend, Budget(), graph, folder / "out.npz", console);
    console.hand_out();
    const auto arrays = parse_npz<float>(read_file(folder / "out.npz"));
    const Results results = evaluated(document, *plan);
    std::size_t traced = 0;
    for (StageIndex i = 0; i < graph.stages.size(); ++i) {
      if (!graph.stages[i].traced) continue;
      ++traced;
      const Array& array = arrays.at(graph.stages[i].id);
      const auto expected =
          results.outputs[i].whole().values();  // a mask that heads share is repeated for each
      REQUIRE(array.values.size() % expected.size() == 0);
      for (std::size_t j = 0; j < array.values.size(); ++j)
        CHECK(array.values[j] == static_cast<double>(expected[j % expected.size()]));
    }
    CHECK(arrays.size() == traced);
    trace_stages(*backend, Budget(), graph, "", console);
    CHECK(contains(console.out.str(), "\nb.weights · "));
    CHECK(contains(console.out.str(), "\na.weights · "));
  }
}

TEST_CASE("of chosen stages only what they need is computed") {
  const Graph graph = kLayerPlan.build(read_document("three-tokens"), kLayerA).graph;
  Noting backend;
  std::ostringstream notes;
  Console console(devices(), notes, [](std::string_view) {});
  trace_stages(backend, Budget(), graph, "", console, {"scaled"});
  CHECK(backend.computed == std::vector<std::string>{"matmul", "scale"});
  CHECK(contains(console.out.str(), "scaled · "));
  CHECK_FALSE(contains(console.out.str(), "scores · "));
}

TEST_CASE("wrong numbers are named and neither printed nor written") {
  const TemporaryFolder folder;
  const Graph graph = kLayerPlan.build(read_document("the-cat-sat-on-mat-two-heads"), kLayerA).graph;
  Wrong backend;
  std::ostringstream notes;
  Console console(devices(), notes, [](std::string_view) {});
  for (const std::string& path : {std::string(), folder / "out.npz"}) {
    try {
      trace_stages(backend, Budget(), graph, path, console);
      FAIL("it was accepted");
    } catch (const Error& error) {
      CHECK(error.fault() == Fault::device);
      CHECK(contains(error.what(), "wrong computes wrong numbers: weights[1, 0, 0] is "));
    }
  }
  CHECK(console.out.view().empty());
  CHECK(folder.holds_only({}));
}

TEST_CASE("what a device computed is said to be compared with the reference") {
  const Outcome automatic = run_words({"trace", "three-tokens"});
  CHECK(contains(automatic.err, "compared with the reference: all numbers, "));
  CHECK_FALSE(contains(run_words({"trace", "three-tokens", "--device", "reference"}).err, "compared"));
}

TEST_CASE("an output without a name and one with a name that no file can have are refused") {
  CHECK(run_words({"trace", "three-tokens", "-o", ""}).status == kBadWords);
  const TemporaryFolder folder;
  const Outcome outcome = run_words({"trace", "three-tokens", "-o", folder / std::string(300, 'x')});
  CHECK(outcome.status == kNotWritten);
  CHECK(contains(outcome.err, "its name is too long"));
  CHECK_FALSE(contains(outcome.err, "device:"));  // before a device was so much as looked for
  CHECK(folder.holds_only({}));
}

TEST_CASE("a workspace that nobody knows is refused") {
  CHECK(contains(run_words({"trace", "three-tokens", "--workspace", "pipelin"}).err,
                 "did you mean \"pipeline\"?"));
}

TEST_CASE("auto computes on the best device and says which on the error stream") {
  const Outcome automatic = run_words({"trace", "three-tokens"});
  CHECK(automatic.status == kDone);
  CHECK_FALSE(automatic.err.empty());
  CHECK(contains(automatic.out, "5.7112"));
}

TEST_CASE("devices lists the reference and every device with its verdict") {
  const Outcome table = run_words({"devices"});
  CHECK(table.status == kDone);
  for (const char* heading : {"device", "name", "driver", "verdict", "largest error", "small layer"})
    CHECK(contains(table.out, heading));
  CHECK(contains(table.out, "reference"));
}

TEST_CASE("trace says on the error stream which number overflows float16 first") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::vector<std::byte>>> members{
      {"q", float_npy({1, 1}, {300})}, {"k", float_npy({1, 1}, {250})}, {"v", float_npy({1, 1}, {1})}};
  write_file(folder / "in.npz", write_npz(members));
  for (const char* device : {"reference", "auto"}) {
    const Outcome half =
        run_words({"trace", folder / "in.npz", "--precision", "float16", "--device", device});
    CHECK(half.status == kDone);
    CHECK(contains(half.err, "float16 overflows in scores: 75000 > 65504 at query 0,"));
  }
  CHECK_FALSE(contains(run_words({"trace", folder / "in.npz", "--precision", "bfloat16"}).err, "overflows"));
}

TEST_CASE("what trace wrote opens as a layer again and says what was left out") {
  const TemporaryFolder folder;
  const std::vector<std::string> words{"trace", "the-cat-sat-on-mat-causal", "--device", "reference",
                                       "-o",    folder / "first.npz"};
  REQUIRE(run_words(words).status == kDone);
  const Outcome again =
      run_words({"trace", folder / "first.npz", "--device", "reference", "-o", folder / "second.npz"});
  INFO(again.err);
  REQUIRE(again.status == kDone);
  CHECK(contains(again.err, ": ignored concat, exp"));
  CHECK(contains(again.err, "weights, x\n"));
  const auto first = parse_npz<float>(read_file(folder / "first.npz"));
  const auto second = parse_npz<float>(read_file(folder / "second.npz"));
  for (const char* stage : {"q", "mask", "masked", "weights", "head_output"}) {
    CAPTURE(stage);
    CHECK(second.at(stage).values == first.at(stage).values);
  }
}

TEST_CASE("a traced file as INPUT with the same options gives the same numbers") {
  const TemporaryFolder folder;
  const std::vector<std::string> options{"--device",   "reference", "--score",       "additive",
                                         "--mask",     "causal",    "--local",       "predictive",
                                         "--position", "t5:8:16:3", "--temperature", "2"};
  const auto trace = [&](const std::string& input, const std::string& output, std::vector<std::string> more) {
    std::vector<std::string> words{"trace", input, "-o", output};
    words.insert(words.end(), more.begin(), more.end());
    return run_words(words);
  };
  REQUIRE(trace("the-cat-sat-on-mat-two-heads", folder / "first.npz", options).status == kDone);
  REQUIRE(trace(folder / "first.npz", folder / "second.npz", options).status == kDone);
  const auto first = parse_npz<float>(read_file(folder / "first.npz"));
  const auto second = parse_npz<float>(read_file(folder / "second.npz"));
  for (const char* name : {"score_w_q", "score_w_k", "score_v", "local_w", "local_v", "bias_table", "bias",
                           "scores", "masked", "weights", "head_output"})
    CHECK(first.at(name).values == second.at(name).values);
  const Outcome added = trace(folder / "first.npz", folder / "x.npz", {"--position", "sinusoidal"});
  CHECK(added.status == kBadWords);
  CHECK(contains(added.err, "those that trace wrote hold it already"));
}
