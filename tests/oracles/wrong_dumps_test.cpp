// Dumps with known mistakes that an independent program made (make_wrong_dumps.py): each is named, alone and
// in pairs, or is one of those that leave the same numbers; noise is noise.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/diagnosis/diagnosis.h"
#include "core/io/npz.h"
#include "core/reference/backend.h"
#include "core/system/file.h"
#include "tests/oracles/golden_cases.h"
#include "tests/places.h"

namespace attn::golden {
namespace {

const std::string kWrongDumps = std::string(kSourceDir) + "/tests/oracles/wrong_dumps/";

using MistakeWords = std::set<std::string>;

struct WrongDump {
  std::string file, verdict;
  MistakeWords planted;
  std::set<MistakeWords> right;  // those, and what ties with them
  nlohmann::json detail;
  DiagnosisRequest request;
};

MistakeWords words_in(const nlohmann::json& list) {
  const auto words = list.get<std::vector<std::string>>();
  return {words.begin(), words.end()};
}

WrongDump read_wrong_dump(const nlohmann::json& entry) {
  WrongDump dump{
      entry.at("file"), entry.at("verdict"), words_in(entry.at("mistakes")), {}, entry.at("detail"), {}};
  dump.right = {dump.planted};
  for (const auto& tie : entry.at("ties")) dump.right.insert(words_in(tie));
  auto inputs = parse_npz<double>(read_file(kWrongDumps + dump.file));
  for (const char* id : {"scaled", "weights", "output"}) {
    const auto node = inputs.extract(id);
    const std::vector<std::size_t>& s = node.mapped().shape;
    const Shape shape = s.size() == 3 ? Shape{s[0], s[1], s[2]} : Shape{1, s[0], s[1]};
    const auto values = node.mapped().numbers();
    dump.request.yours.push_back({id, Tensor(shape, std::vector<float>(values.begin(), values.end()))});
  }
  std::istringstream words(entry.at("options").get<std::string>());
  dump.request.ours = layer_of(inputs, {std::istream_iterator<std::string>(words), {}});
  return dump;
}

std::vector<WrongDump> wrong_dumps() {
  std::ifstream index(kWrongDumps + "index.json");
  std::vector<WrongDump> dumps;
  for (const auto& entry : nlohmann::json::parse(index)) dumps.push_back(read_wrong_dump(entry));
  return dumps;
}

Diagnosis diagnosed(const DiagnosisRequest& request) {
  const auto backend = make_reference_backend();
  Diagnoser diagnoser(request);
  while (!diagnoser.step(*backend)) {
  }
  return diagnoser.found();
}

std::set<MistakeWords> reproducing(const Diagnosis& found) {
  std::set<MistakeWords> sets;
  const bool alone = !found.singles.empty() && found.singles.front().reproduces;
  for (const std::size_t i : found.reproducing) {
    const Tried& tried = (alone ? found.singles : found.together)[i];
    sets.insert({tried.words.begin(), tried.words.end()});
  }
  return sets;
}

std::string said(const Diagnosis& found) {
  std::string text;
  for (const MistakeWords& set : reproducing(found)) {
    for (const std::string& word : set) text += word + " ";
    text += "; ";
  }
  return text;
}

}  // namespace

TEST_CASE("mistakes of dumps of another program are named, and noise is") {
  MistakeWords alone;
  std::size_t pairs = 0;
  for (const WrongDump& dump : wrong_dumps()) {
    const Diagnosis found = diagnosed(dump.request);
    INFO(dump.file, ": ", said(found));
    CHECK_FALSE(found.equal());
    CHECK(found.noise == (dump.verdict == "noise"));
    if (dump.verdict == "noise") {
      CHECK(found.reproducing.empty());
      continue;
    }
    REQUIRE(found.found() != nullptr);
    CHECK(dump.right.contains({found.found()->words.begin(), found.found()->words.end()}));
    const std::set<MistakeWords> sets = reproducing(found);
    // What is planted is among the ties, or a single one that leaves the same numbers beats the pair.
    const bool single_beats = found.found()->words.size() < dump.planted.size();
    CHECK((single_beats || sets.contains(dump.planted)));
    if (dump.planted.size() == 1) alone.insert(dump.planted.begin(), dump.planted.end());
    if (dump.planted.size() == 2) ++pairs;
  }
  CHECK(pairs == 60);
  for (const Mistake& mistake : known_mistakes()) CHECK(alone.contains(std::string(mistake.word)));
  CHECK(alone.size() == known_mistakes().size());
}

}  // namespace attn::golden
