// check: what it understands, says and ends with, of right numbers and of wrong ones.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/diagnosis/mistake.h"
#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::ordered_json;
using Arrays = std::map<std::string, Array>;

constexpr const char* kTwoHeads = "the-cat-sat-on-mat-two-heads";

Outcome check_file(const std::string& file, Words words = {}) {
  words.insert(words.begin(), {"check", file});
  words.insert(words.end(), {"--device", "reference"});
  return run_words(words);
}

void write_arrays(const std::string& path, const Arrays& arrays) {
  std::vector<std::pair<std::string, std::vector<std::byte>>> members;
  for (const auto& [name, array] : arrays) members.emplace_back(name, write_npy(array.shape, array.values));
  write_file(path, write_npz(members));
}

// The example's inputs with the stages that trace makes of it under these options.
Arrays dump_of(const std::string& path, Words options) {
  options.insert(options.begin(), {"trace", kTwoHeads, "-o", path, "--device", "reference"});
  REQUIRE(run_words(options).status == kDone);
  Arrays dump, traced = parse_npz<float>(read_file(path));
  for (const char* name : {"q", "k", "v", "scaled", "weights", "head_output"}) dump[name] = traced.at(name);
  return dump;
}

// Under options with a mistake, held against the layer of others.
Outcome mistaken(const TemporaryFolder& folder, const Words& wrong, Words right, bool json = true) {
  write_arrays(folder / "mine.npz", dump_of(folder / "trace.npz", wrong));
  if (json) right.push_back("--json");
  return check_file(folder / "mine.npz", right);
}

}  // namespace

TEST_CASE("what trace writes is equal to its own layer") {
  const TemporaryFolder folder;
  for (const Words& options :
       {Words{"--mask", "causal"}, {"--mask", "causal", "--soft-cap", "3"}, {"--scale", "none"}}) {
    Words words = options;
    words.insert(words.begin(), {"trace", kTwoHeads, "-o", folder / "mine.npz", "--device", "reference"});
    REQUIRE(run_words(words).status == kDone);
    const Outcome outcome = check_file(folder / "mine.npz", options);
    INFO(outcome.out, outcome.err);
    CHECK(outcome.status == kDone);
    CHECK(outcome.out.starts_with("equal, nothing to mend"));
    for (const char* stage : {"scores", "scaled", "weights", "head_output"})
      CHECK(contains(outcome.out, stage));
  }
}

TEST_CASE("a mistake is named, explained and mended, the verdict first") {
  const TemporaryFolder folder;
  const Outcome outcome =
      mistaken(folder, {"--mask", "causal", "--causal-ahead", "1"}, {"--mask", "causal"}, false);
  INFO(outcome.out, outcome.err);
  CHECK(outcome.status == kDifferent);
  CHECK(outcome.out.starts_with("weights differs first"));
  const Mistake& mistake = *find_mistake("causal-sees-ahead");
  CHECK(contains(outcome.out, std::string(mistake.title) + ": this reproduces your numbers"));
  CHECK(contains(outcome.out, std::string(mistake.sentence)));
  const std::size_t wrong = outcome.out.find("  - " + std::string(mistake.wrong)),
                    right = outcome.out.find("  + " + std::string(mistake.right));
  CHECK(wrong < right);
  CHECK(right != std::string::npos);
  CHECK(outcome.out.find("first difference") > right);
  CHECK(contains(outcome.out, "follows"));
  CHECK(contains(outcome.out, "nothing changed"));
}

TEST_CASE("--json has what scripts need") {
  const TemporaryFolder folder;
  const Outcome outcome = mistaken(folder, {"--mask", "causal", "--scale", "none"}, {"--mask", "causal"});
  INFO(outcome.out, outcome.err);
  CHECK(outcome.status == kDifferent);
  const Json found = Json::parse(outcome.out);
  CHECK(found.at("equal") == false);
  CHECK(found.at("first") == "scaled");
  CHECK(found.at("tried").get<int>() > 20);
  CHECK(found.at("distance").get<double>() < 1e-5);
  CHECK(found.at("noise").is_null());
  // No scale is another temperature too: one of both is named, the other ties.
  Json sets = found.at("ties");
  sets.push_back(found.at("mistakes"));
  CHECK(std::ranges::find(sets, Json{"no-scale"}) != sets.end());
  CHECK(found.at("stages").size() == 3);
  CHECK(found.at("names").size() == 6);

  const Outcome same = mistaken(folder, {"--mask", "causal"}, {"--mask", "causal"});
  CHECK(same.status == kDone);
  const Json equal = Json::parse(same.out);
  CHECK(equal.at("equal") == true);
  CHECK(equal.at("first").is_null());
  CHECK(equal.at("mistakes").empty());
  CHECK(equal.at("ties").empty());
}

TEST_CASE("pairs are tried unless one mistake alone is asked for") {
  const TemporaryFolder folder;
  const Words wrong{"--mask", "causal", "--causal-ahead", "1", "--scale", "none"}, right{"--mask", "causal"};
  const Json pair = Json::parse(mistaken(folder, wrong, right).out);
  CHECK(pair.at("mistakes").size() == 2);
  const Json alone = Json::parse(mistaken(folder, wrong, {"--mask", "causal", "--alone"}).out);
  CHECK(alone.at("mistakes").empty());
  CHECK(alone.at("tried").get<int>() < pair.at("tried").get<int>());
  CHECK(alone.at("distance").get<double>() > 1e-3);
}

TEST_CASE("noise is called noise, and is a difference") {
  const TemporaryFolder folder;
  Arrays dump = dump_of(folder / "trace.npz", {"--mask", "causal"});
  for (const char* name : {"scaled", "weights", "head_output"})
    for (std::size_t i = 0; i < dump[name].values.size(); ++i)
      dump[name].values[i] *= 1 + 1e-3f * std::sin(12.9898f * static_cast<float>(i * i + 1));
  write_arrays(folder / "mine.npz", dump);
  const Outcome outcome = check_file(folder / "mine.npz", {"--mask", "causal", "--alone"});
  INFO(outcome.out, outcome.err);
  CHECK(outcome.status == kDifferent);
  CHECK(contains(outcome.out, "no pattern"));
  CHECK(check_file(folder / "mine.npz", {"--mask", "causal", "--relative", "0.01"}).status == kDone);
  CHECK(check_file(folder / "mine.npz", {"--mask", "causal", "--absolute", "10"}).status == kDone);
}

TEST_CASE("names are told, and can be said") {
  const TemporaryFolder folder;
  Arrays dump = dump_of(folder / "trace.npz", {"--mask", "causal"});
  const auto rename = [&](const char* from, const char* to) {
    auto node = dump.extract(from);
    node.key() = to;
    dump.insert(std::move(node));
  };
  rename("q", "query_layer"), rename("weights", "attn_probs"), rename("scaled", "mystery");
  dump["rng_state"] = {.shape = {3}, .values = {1, 2, 3}};
  write_arrays(folder / "mine.npz", dump);
  Outcome outcome = check_file(folder / "mine.npz", {"--mask", "causal"});
  INFO(outcome.out, outcome.err);
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.out, "attn_probs"));
  CHECK(contains(outcome.out, "not needed"));
  outcome = check_file(folder / "mine.npz",
                       {"--mask", "causal", "--names", "mystery=scaled,attn_probs=", "--json"});
  CHECK(outcome.status == kDone);
  const Json stages = Json::parse(outcome.out).at("stages");
  CHECK(stages.size() == 2);
  CHECK(stages[0].at("stage") == "scaled");
  CHECK(check_file(folder / "mine.npz", {"--names", "mystery=scaledd"}).status == kBadWords);
  CHECK(
      contains(check_file(folder / "mine.npz", {"--names", "mystery=scaledd"}).err, "did you mean scaled?"));
}

TEST_CASE("what cannot be read or makes no sense ends with its status") {
  const TemporaryFolder folder;
  Arrays dump = dump_of(folder / "trace.npz", {});
  write_arrays(folder / "mine.npz", dump);
  CHECK(check_file(folder / "none.npz").status == kBadInput);
  write_file(folder / "text", std::string("no numbers"));
  CHECK(check_file(folder / "text").status == kBadInput);
  write_file(folder / "session.json", write_session({}));
  CHECK(check_file(folder / "session.json").status == kBadInput);
  write_arrays(folder / "inputs.npz", {{"q", dump.at("q")}, {"k", dump.at("k")}, {"v", dump.at("v")}});
  const Outcome inputs = check_file(folder / "inputs.npz");
  CHECK(inputs.status == kBadInput);
  CHECK(contains(inputs.err, "no stage to check"));
  write_arrays(folder / "weights.npz", {{"weights", dump.at("weights")}});
  CHECK(check_file(folder / "weights.npz").status == kBadInput);
  std::vector<std::byte> cut = read_file(folder / "mine.npz");
  cut.resize(cut.size() / 2);
  write_file(folder / "cut.npz", cut);
  CHECK(check_file(folder / "cut.npz").status == kBadInput);
  for (const Words& words : {Words{"--absolute", "-1"},
                             {"--relative", "x"},
                             {"--batch", "1"},
                             {"--batch", "x"},
                             {"--alone", "--three"},
                             {"--names", "q"},
                             {"--mask", "nothing"}})
    CHECK_MESSAGE(check_file(folder / "mine.npz", words).status == kBadWords, words.back());
  CHECK(run_words({"check"}).status == kBadWords);
}

TEST_CASE("a session with your numbers is checked as it stands") {
  const TemporaryFolder folder;
  const Arrays dump = dump_of(folder / "trace.npz", {"--mask", "causal"});
  Document document;
  document.layer().direct = true;
  const auto tensor = [&](const char* name) {
    const Array& array = dump.at(name);
    return Tensor({array.shape[0], array.shape[1], array.shape[2]}, array.values);
  };
  document.layer().q = tensor("q"), document.layer().k = tensor("k"), document.layer().v = tensor("v");
  document.check.on = true, document.check.weights = tensor("weights");
  write_file(folder / "session.json", write_session(document));
  CHECK(check_file(folder / "session.json", {"--mask", "causal"}).status == kDone);
  CHECK(check_file(folder / "session.json", {"--alone"}).status == kDifferent);
}
