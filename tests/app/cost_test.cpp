// cost: its table, JSON and CSV, how options change a preset, and what it refuses.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

std::string printed(Words words) {
  words.insert(words.begin(), "cost");
  const Outcome outcome = run_words(words);
  INFO(outcome.err);
  REQUIRE(outcome.status == kDone);
  CHECK(outcome.err.empty());
  return outcome.out;
}

Json counted(Words words) {
  words.push_back("--json");
  return Json::parse(printed(words));
}

std::string cost_refusal(Words words) {
  words.insert(words.begin(), "cost");
  const Outcome outcome = run_words(words);
  CHECK(outcome.status == kBadWords);
  CHECK(outcome.out.empty());
  return outcome.err;
}

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words kSmall{"--n", "4096", "--d", "768", "--heads", "12"};

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

}  // namespace

TEST_CASE("cost prints the counts of a layer as JSON with ten stages") {
  const Json json =
      counted(with(kSmall, {"--format", "float16", "--layers", "12", "--kv-heads", "12", "--batch", "1"}));
  CHECK(keys_of(json) ==
        Words{"shape", "stages", "operations", "parameters", "cache_bytes_per_token", "crossovers"});
  Words names;
  for (const Json& stage : json["stages"]) {
    CHECK(keys_of(stage) == Words{"name", "operations", "bytes_moved", "bytes_held"});
    names.push_back(stage["name"]);
  }
  CHECK(names == Words{"q", "k", "v", "scores", "scaled", "masked", "weights", "head_output", "output",
                       "feed_forward"});
  CHECK(json["stages"][3]["operations"] == 25'769'803'776);
  CHECK(json["stages"][6]["bytes_held"] == 402'653'184);
  CHECK(json["operations"] == 12 * 110'729'625'600);
  CHECK(json["parameters"] == Json{{"attention", 28'311'552}, {"feed_forward", 56'623'104}});
  CHECK(json["cache_bytes_per_token"] == 36'864);
  CHECK(json["crossovers"] ==
        Json{{"attention_projections", 1536}, {"attention_rest", 4608}, {"linear_full", 64}});
}

// The words of `cost` that describe a shape.
Words words_of(const Json& shape) {
  const auto number = [&](const char* key) { return shape[key].dump(); };
  Words words{"--n",
              number("n"),
              "--d",
              number("d"),
              "--heads",
              number("heads"),
              "--kv-heads",
              number("kv_heads"),
              "--layers",
              number("layers"),
              "--batch",
              number("batch"),
              "--format",
              shape["format"],
              "--feed-forward",
              number("feed_forward")};
  const std::string mechanism = shape["mechanism"];
  words.insert(words.end(),
               {"--mechanism", mechanism + (shape["reach"].is_null() ? "" : ":" + number("reach"))});
  for (const char* flag : {"gated", "causal", "backward"})
    if (shape[flag] == true) words.push_back(std::string("--") + flag);
  return words;
}

TEST_CASE("the shape in the JSON is all that its counts depend on") {
  for (const Words& words :
       {kSmall, with(kSmall, {"--mechanism", "window", "--causal"}),
        with(kSmall, {"--mechanism", "strided", "--backward", "--batch", "3"}),
        Words{"--preset", "mistral-7b", "--format", "int8"}, Words{"--preset", "llama3-8b", "--n", "99"}}) {
    const Json json = counted(words);
    CHECK(counted(words_of(json["shape"])) == json);
  }
  const Json gpt = counted({"--preset", "gpt2"})["shape"];
  CHECK(gpt["biases"] == "all");
  CHECK(gpt["feed_forward"] == 3072);
  CHECK(gpt["past"] == 0);
  CHECK(counted(with(kSmall, {"--mechanism", "strided"}))["shape"]["reach"].is_null());
}

TEST_CASE("cost prints the same counts as CSV") {
  const std::string csv = printed(with(kSmall, {"--csv"}));
  CHECK(csv.starts_with("stage,operations,bytes_moved,bytes_held\nq,4831838208,"));
  CHECK(contains(csv, "\nscores,25769803776,"));
  CHECK(std::ranges::count(csv, '\n') == 11);
}

TEST_CASE("cost prints a table with formulas and totals and crossovers") {
  const std::string table = printed({"--preset", "gpt2", "--n", "4096"});
  for (const char* part :
       {"GPT-2 small: Radford", "4\u202f096 tokens", "2·n·n·d_k·h", "25\u202f769\u202f803\u202f776",
        "124\u202f439\u202f808", "124,439,808", "attention = Q K V W_O", "1\u202f536", "6d", "4\u202f608"})
    CHECK(contains(table, part));
}

TEST_CASE("options change a preset and what follows from them follows") {
  const Json gpt = counted({"--preset", "GPT-2 small"});
  CHECK(gpt["operations"] == counted({"--preset", "gpt2", "--n", "1024", "--batch", "1"})["operations"]);
  // Another width has a feed-forward of four times that, 8·64² + 5·64 parameters; as many key/value heads as
  // heads.
  const Json narrow = counted({"--preset", "gpt2", "--d", "64", "--heads", "4", "--layers", "1"});
  CHECK(narrow["parameters"] == Json{{"attention", 16'640}, {"feed_forward", 33'088}});
  CHECK(narrow["cache_bytes_per_token"] == 512);
  // Llama's shared heads stay, and its feed-forward.
  const Json llama = counted({"--preset", "llama3-8b", "--n", "16", "--layers", "1"});
  CHECK(llama["parameters"] == Json{{"attention", 41'943'040}, {"feed_forward", 176'160'768}});
  const Json own = counted({"--n", "16", "--d", "4096", "--heads", "32", "--kv-heads", "8", "--feed-forward",
                            "14336", "--gated", "--causal"});
  CHECK(own == llama);
}

TEST_CASE("every mechanism and format is counted forward and backward") {
  for (const char* mechanism :
       {"full", "flash", "window", "window:0", "window:256", "strided", "strided:64", "linear", "recurrent"})
    for (const char* format : {"float32", "float16", "bfloat16", "int8"})
      for (const bool backward : {false, true}) {
        Words words = with(kSmall, {"--mechanism", mechanism, "--format", format});
        if (backward) words.push_back("--backward");
        CHECK(counted(words)["operations"] > 0);
      }
  const auto operations = [](const char* mechanism, std::size_t stage) {
    return counted(with(kSmall, {"--mechanism", mechanism}))["stages"][stage]["operations"]
        .get<std::uint64_t>();
  };
  // 513 keys for all but the first and the last 256 queries, which lack 256·257/2 each.
  CHECK(operations("window:256", 3) == 1536 * (std::uint64_t{4096} * 513 - 256 * 257));
  CHECK(operations("flash", 3) == operations("full", 3));
  CHECK(operations("linear", 3) == 0);
  CHECK(counted(with(kSmall, {"--mechanism", "linear"}))["crossovers"]["attention_rest"].is_null());
  CHECK(counted(with(kSmall, {"--causal", "--mechanism", "window:256"}))["stages"][3]["operations"] ==
        1536 * (std::uint64_t{4096} * 257 - 256 * 257 / 2));
}

TEST_CASE("a count of more than 64 bits is printed whole") {
  // 2·(2^32)²·2^20 for scores, which JSON has as digits.
  const std::string json = printed({"--n", "4294967296", "--d", "1048576", "--heads", "1", "--json"});
  CHECK(contains(json, "\"name\": \"scores\", \"operations\": 38685626227668133590597632,"));
}

TEST_CASE("cost refuses what it cannot count and says what it can") {
  CHECK(contains(cost_refusal({"--preset", "gpt2-xxl"}), "did you mean \"gpt2-xl\"?"));
  CHECK(
      contains(cost_refusal({"--preset", "claude"}), "transformer-base, transformer-big, bert-base, gpt2,"));
  CHECK(contains(cost_refusal({"--n", "8", "--d", "768", "--heads", "10"}), "use 8 or 12 heads"));
  CHECK(contains(cost_refusal(with(kSmall, {"--kv-heads", "5"})), "use 4 or 6"));
  CHECK(contains(cost_refusal({"--n", "0", "--d", "768", "--heads", "12"}),
                 "--n: cannot use \"0\"; it takes a whole number from 1"));
  CHECK(contains(cost_refusal({"--n", "4294967297", "--d", "768", "--heads", "12"}), "from 1 to 4294967296"));
  CHECK(contains(cost_refusal({"--n", "many", "--d", "768", "--heads", "12"}), "--n"));
  CHECK(contains(cost_refusal({"--n", "8", "--d", "768"}), "needs --n, --d and --heads, or a --preset"));
  CHECK(contains(cost_refusal({}), "or a --preset"));
  CHECK(contains(cost_refusal(with(kSmall, {"--format", "float-16"})), "did you mean \"float16\"?"));
  CHECK(contains(cost_refusal(with(kSmall, {"--mechanism", "windows:4"})), "did you mean \"window\"?"));
  CHECK(contains(cost_refusal(with(kSmall, {"--mechanism", "strided:0"})), "--mechanism"));
  CHECK(contains(cost_refusal(with(kSmall, {"--mechanism", "linear:4"})), "--mechanism"));
  CHECK(contains(cost_refusal(with(kSmall, {"--json", "--csv"})), "use one"));
}
