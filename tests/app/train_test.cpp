// train: its JSON, its file, and what it refuses before any device is chosen.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/io/npz.h"
#include "core/learning/runner.h"
#include "core/reference/backend.h"
#include "core/system/file.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Json = nlohmann::json;

std::string train_refusal(std::vector<std::string> words) {
  words.insert(words.begin(), "train");
  words.insert(words.end(), {"--device", "4096"});
  const Outcome outcome = run_words(words);
  CHECK(outcome.status == kBadWords);
  return outcome.err;
}

std::vector<std::string> small_words(const std::string& task) {
  return {"train", task, "--layers", "1", "--width", "8", "--heads", "2", "--batch", "3", "--steps", "4"};
}

}  // namespace

TEST_CASE("train tells in JSON what was learnt") {
  auto words = small_words("reverse");
  words.insert(words.end(), {"--json", "--until", "1"});
  const Outcome outcome = run_words(words);
  INFO(outcome.err);
  REQUIRE(outcome.status == kDone);
  const Json json = Json::parse(outcome.out);
  CHECK(json.at("task") == "reverse");
  // Embedding and head 10×8 each, positions 8×8, norms 4×8, attention 24×8 and 8×8.
  CHECK(json.at("parameters") == 160 + 64 + 32 + 256);
  CHECK(json.at("steps") == 4);
  CHECK(json.at("seconds") > 0);
  CHECK(json.at("loss") > 1);
  CHECK(json.at("accuracy") < 1);
  CHECK(json.at("reached").is_null());
  CHECK(json.at("stopped").is_null());
  CHECK(json.at("history").size() == 1);
  CHECK(json.at("history")[0].at("step") == 4);
}

TEST_CASE("the file of a run has the first step and the last by PyTorch’s names") {
  const TemporaryFolder folder;
  const std::string out = folder / "run.npz";
  auto words = small_words("copy");
  words.insert(words.end(), {"--optimizer", "sgd", "--rate", "0.5", "--warm-up", "0", "-o", out});
  const Outcome outcome = run_words(words);
  INFO(outcome.err);
  REQUIRE(outcome.status == kDone);
  CHECK(outcome.out.find("parameters") != std::string::npos);
  const auto arrays = parse_npz<float>(read_file(out));
  const std::string name = "decoder.layers.0.multihead_attn.in_proj_weight";
  const auto &before = arrays.at("before." + name), &gradient = arrays.at("gradient." + name),
             &first = arrays.at("first." + name), &after = arrays.at("after." + name);
  CHECK(before.shape == std::vector<std::size_t>{24, 8});
  for (std::size_t i = 0; i < before.values.size(); ++i)
    CHECK(first.values[i] == doctest::Approx(before.values[i] - 0.5f * gradient.values[i]).epsilon(1e-5));
  CHECK(after.values != first.values);
  for (const char* batch : {"batch.input", "batch.target", "batch.scored"})
    CHECK(arrays.at(batch).shape == std::vector<std::size_t>{3, 8});
  CHECK(arrays.at("batch.input").values == arrays.at("batch.target").values);
  CHECK(arrays.at("after.encoder.norm.bias").shape == std::vector<std::size_t>{8});
}

TEST_CASE("a decoder that reads what is written is told by --decoder, logits by the embedding by --tied") {
  const TemporaryFolder folder;
  const std::string out = folder / "run.npz";
  auto words = small_words("dates");
  words.insert(words.end(), {"--decoder", "written", "--tied", "--inner", "0", "-o", out});
  const Outcome outcome = run_words(words);
  INFO(outcome.err);
  REQUIRE(outcome.status == kDone);
  CHECK(outcome.out.find("every answer, where the right ones before it are given") != std::string::npos);
  const auto arrays = parse_npz<float>(read_file(out));
  CHECK(arrays.at("after.embedding.weight").shape == std::vector<std::size_t>{32, 8});
  CHECK(arrays.at("after.position.weight").shape == std::vector<std::size_t>{21, 8});
  CHECK_FALSE(arrays.contains("after.query.weight"));
  CHECK_FALSE(arrays.contains("after.head.weight"));
  CHECK(arrays.at("batch.input").shape == std::vector<std::size_t>{3, 11});
  CHECK(arrays.at("batch.target").shape == std::vector<std::size_t>{3, 10});
}

TEST_CASE("train leaves out the scale and the residuals where it is told to") {
  const auto loss_with = [](std::vector<std::string> more) {
    auto words = small_words("sort");
    words.insert(words.end(), {"--json", "--rate", "0.1", "--warm-up", "0"});
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_words(words);
    INFO(outcome.err);
    REQUIRE(outcome.status == kDone);
    return Json::parse(outcome.out).at("loss").get<double>();
  };
  const double plain = loss_with({});
  CHECK(loss_with({}) == plain);
  CHECK(loss_with({"--no-scale"}) != plain);
  CHECK(loss_with({"--no-residual"}) != plain);
}

TEST_CASE("train stops at its last good numbers where they go beyond all bounds, in the window’s words") {
  const TemporaryFolder folder;
  const std::string out = folder / "run.npz";
  auto words = small_words("reverse");
  words.back() = "400";  // steps
  words.insert(words.end(), {"--length", "4", "--symbols", "4", "--optimizer", "sgd", "--rate", "100"});
  words.insert(words.end(), {"--warm-up", "0", "--device", "reference", "--json", "-o", out});
  const Outcome outcome = run_words(words);
  INFO(outcome.err);
  REQUIRE(outcome.status == kBadWords);
  const Json json = Json::parse(outcome.out), stopped = json.at("stopped");
  CHECK_FALSE(stopped.at("stage").get<std::string>().empty());
  CHECK(json.at("steps") <= stopped.at("step"));
  CHECK(json.at("loss").is_number());
  for (const Json& entry : json.at("history")) CHECK(entry.at("loss").is_number());
  for (const auto& [name, array] : parse_npz<float>(read_file(out)))
    for (const float x : array.values) CHECK(std::isfinite(x));

  TrainingSpec spec = default_training(TrainingTaskKind::reverse);
  spec.task.length = spec.task.symbols = 4;
  spec.model.layers = 1, spec.model.width = 8, spec.model.heads = 2, spec.batch = 3;
  spec.optimizer = {.kind = OptimizerKind::sgd, .rate = 100, .warm_up = 0};
  TrainingRunner runner(spec, {.steps = 400, .snapshot_every = 25});
  const auto backend = make_reference_backend();
  while (runner.work(*backend)) continue;
  RunView view;
  runner.update(view);
  REQUIRE(view.stop);
  CHECK(stopped.at("words") == view.stop->words);
  CHECK(stopped.at("stage") == view.stop->stage);
  CHECK(outcome.err.find(view.stop->words) != std::string::npos);
}

TEST_CASE("own pairs are read from a file") {
  const TemporaryFolder folder;
  const std::string data = folder / "pairs.txt";
  std::ofstream(data) << "abc\tcba\nab\tba\n";
  auto words = small_words("own");
  words.insert(words.end(), {"--data", data, "--json"});
  const Outcome outcome = run_words(words);
  INFO(outcome.err);
  CHECK(outcome.status == kDone);
  std::ofstream(data) << "abc\n";
  const Outcome refused = run_words(words);
  CHECK(refused.status == kBadInput);
  CHECK(refused.err.find("line 1 is no pair") != std::string::npos);
}

TEST_CASE("words that train cannot use are refused") {
  const auto has = [](const std::string& text, const char* part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(train_refusal({"copie"}), "copy");
  has(train_refusal({"copy", "--heads", "5"}), "5 heads do not divide the width of 64");
  has(train_refusal({"copy", "--modulus", "7"}), "--modulus: copy adds nothing; leave it out");
  has(train_refusal({"dates", "--length", "7"}), "--length: dates has a length of its own; leave it out");
  has(train_refusal({"sort", "--decoder", "written"}), "--decoder: sort has no decoder; leave it out");
  has(train_refusal({"copy", "--decoder", "blank"}), "slots or written");
  has(train_refusal({"own"}), "train own needs --data FILE");
  has(train_refusal({"copy", "--betas", "0.9"}), "two numbers from 0 to below 1");
  has(train_refusal({"copy", "--rate", "0"}), "a number above 0");
  has(train_refusal({"copy", "--until", "1.5"}), "an accuracy above 0 and at most 1");
  has(train_refusal({"copy", "--position", "rotary"}),
      "learned, sinusoidal, none, alibi, rope, relative or t5");
  has(train_refusal({"copy", "--position", "rope", "--width", "6", "--heads", "2"}),
      "RoPE turns pairs of features, and heads are 3 wide: take an even width of a head");
}
