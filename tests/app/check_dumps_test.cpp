// Correct dumps of other libraries (tests/oracles/make_dumps.py), as `check` reads them: equal, nothing to
// mend; and half precision called so.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/system/file.h"
#include "core/text/bytes.h"
#include "core/text/text.h"
#include "tests/app/words.h"
#include "tests/places.h"

using namespace attn;
using namespace attn::tests;

namespace {

nlohmann::json index_of_dumps(const std::string& folder) {
  return nlohmann::json::parse(as_text(read_file(folder + "index.json")));
}

}  // namespace

TEST_CASE("correct dumps of other libraries are equal, in half precision nothing but that") {
  const std::string folder = std::string(kSourceDir) + "/tests/oracles/dumps/";
  std::size_t equal = 0, half = 0;
  for (const auto& entry : index_of_dumps(folder)) {
    std::vector<std::string> words{"check", folder + entry.at("file").get<std::string>(), "--json",
                                   "--device", "reference"};
    for (const std::string& word : split(entry.at("options").get<std::string>(), ' ')) words.push_back(word);
    const Outcome outcome = run_words(words);
    INFO(entry.at("file").get<std::string>(), "\n", outcome.out, outcome.err);
    REQUIRE(outcome.status <= kDifferent);
    const auto found = nlohmann::json::parse(outcome.out);
    if (entry.at("verdict") == "equal") {
      CHECK(outcome.status == kDone);
      CHECK(found.at("equal") == true);
      ++equal;
      continue;
    }
    CHECK(outcome.status == kDifferent);
    const auto mistakes = found.at("mistakes").get<std::vector<std::string>>();
    const bool named = mistakes.size() == 1 && (mistakes[0] == "float16" || mistakes[0] == "bfloat16");
    CHECK((named || (mistakes.empty() && !found.at("noise").is_null())));
    ++half;
  }
  CHECK(equal >= 10);
  CHECK(half >= 2);
}
