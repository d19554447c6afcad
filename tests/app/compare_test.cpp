// compare: a layer with itself, with a change, and with the numbers of another program.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cmath>
#include <functional>
#include <set>

#include "app/program/input.h"
#include "core/compare/edit.h"
#include "core/compare/figures.h"
#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/layers.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Words = std::vector<std::string>;

constexpr const char* kCat = "the-cat-sat-on-mat-two-heads";

Outcome compared(Words words) {
  words.insert(words.begin(), "compare");
  words.insert(words.end(), {"--device", "reference"});
  const Outcome outcome = run_words(words);
  INFO(outcome.err);
  return outcome;
}

// The first stage that the last line names.
std::string first_of(const Outcome& outcome) {
  const std::string before = "the first that differs is ";
  const std::size_t at = outcome.out.find(before);
  if (at == std::string::npos) return "";
  const std::string rest = outcome.out.substr(at + before.size());
  return rest.substr(0, rest.find_first_of(" :"));
}

std::map<std::string, Array> trace_of(const std::string& path, Words words = {}) {
  words.insert(words.begin(), {"trace", kCat, "-o", path, "--device", "reference"});
  REQUIRE(run_words(words).status == kDone);
  return parse_npz<float>(read_file(path));
}

void write(const std::string& path, const std::map<std::string, Array>& arrays) {
  std::vector<std::pair<std::string, std::vector<std::byte>>> members;
  for (const auto& [name, array] : arrays) members.emplace_back(name, write_npy(array.shape, array.values));
  write_file(path, write_npz(members));
}

}  // namespace

TEST_CASE("a layer compared with itself differs in nothing") {
  const Outcome outcome = compared({kCat, kCat, "--tolerance", "0"});
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.out, "no number differs by more than 0"));
  for (const char* stage : {"x ", "scores ", "weights ", "output "}) CHECK(contains(outcome.out, stage));
}

TEST_CASE("a change of each kind is found at the first stage that it reaches") {
  struct Change {
    Words words;
    std::string first;
  };
  const std::vector<Change> changes{
      {{"--temperature", "2"}, "scaled"},   {{"--scale", "none"}, "scaled"},
      {{"--score", "cosine"}, "q_length"},  {{"--weighting", "sigmoid"}, "keys_left"},
      {{"--position", "none"}, "position"}, {{"--mask", "causal"}, "mask"},
      {{"--dropout", "0.5:3"}, "dropped"},  {{"--qk-norm"}, "q_rms"}};
  for (const Change& change : changes) {
    CAPTURE(change.words.front());
    Words words{kCat};
    words.insert(words.end(), change.words.begin(), change.words.end());
    const Outcome outcome = compared(words);
    CHECK(outcome.status == kDifferent);
    CHECK(first_of(outcome) == change.first);
  }
}

namespace {

// The first stage that differs by the window, "" of equal layers.
std::string first_in_window(const LayerSpec& a, const LayerSpec& b) {
  Document document{{a}};
  TypedLayer changed = typed_layer(document);
  changed.layer = b;
  put_layer(document, changed, kLayerB);
  const Results results = evaluated(document, kComparePlan);
  const CompareFigures figures = compare_figures(results);
  if (!figures.first) return "";
  const ComparedStage& row = figures.stages[*figures.first];
  const std::string id = results.graph.stages[row.either()].id;
  return row.a ? id : id.substr(2);  // "b."
}

std::string first_of_command(const LayerSpec& a, const LayerSpec& b) {
  const TemporaryFolder folder;
  write_file(folder / "a.json", write_session({{a}}));
  write_file(folder / "b.json", write_session({{b}}));
  return first_of(compared({folder / "a.json", folder / "b.json"}));
}

}  // namespace

TEST_CASE("the command names the stage that the window names as the first that differs") {
  using Edit = std::function<void(Random&, LayerSpec&)>;
  const std::vector<Edit> edits{[](Random&, LayerSpec&) {},
                                [](Random& random, LayerSpec& l) { random_masks(random, l); },
                                [](Random&, LayerSpec& l) { l.masks.clear(), l.mask = {}; },
                                [](Random&, LayerSpec& l) {
                                  if (!l.direct || l.q.columns() == l.k.columns())
                                    l.scoring = Scoring::cosine;
                                },
                                [](Random&, LayerSpec& l) { l.temperature = l.temperature == 1 ? 2 : 1; },
                                [](Random&, LayerSpec& l) { l.bias = {}; },
                                [](Random&, LayerSpec& l) { l.dropout = l.dropout == 0 ? 0.5 : 0; },
                                [](Random&, LayerSpec& l) { l.position = NoPosition{}; },
                                [](Random&, LayerSpec& l) { l.position = Alibi{}; },
                                [](Random&, LayerSpec& l) { l.weighting = Weighting::sigmoid; },
                                [](Random&, LayerSpec& l) { l.muted_heads = {0}; },
                                [](Random&, LayerSpec& l) {
                                  Tensor& values = l.direct ? l.v : l.w_v;
                                  values = with_value(values, {}, 9);
                                }};
  Random random(seed(91));
  std::set<std::string> named;
  for (int i = 0; i < 120; ++i) {
    const LayerSpec a = random_scored_layer(random);
    LayerSpec b = a;
    edits[static_cast<std::size_t>(i) % edits.size()](random, b);
    const std::string window = first_in_window(a, b);
    CAPTURE(i);
    CHECK(first_of_command(a, b) == window);
    named.insert(window);
  }
  CHECK(named.size() >= 8);
}

TEST_CASE("a mask for all heads is the same as that mask for each") {
  Random random(seed(92));
  LayerSpec a = random_projected(random);
  a.heads = 2, a.kv_heads = 1;
  a.w_q = drawn({1, a.x.columns(), 4}, 1), a.w_k = a.w_v = drawn({1, a.x.columns(), 2}, 2);
  a.w_o = a.b_q = a.b_k = a.b_v = a.b_o = {};
  a.mask = bits(random, {1, query_count(a), key_count(a)});
  LayerSpec b = a;
  std::vector<float> twice(a.mask.values().begin(), a.mask.values().end());
  twice.insert(twice.end(), a.mask.values().begin(), a.mask.values().end());
  b.mask = Tensor({2, query_count(a), key_count(a)}, twice);
  CHECK(first_in_window(a, b) == "");
  CHECK(first_of_command(a, b) == "");
}

TEST_CASE("stages that one of them lacks are named") {
  const Outcome outcome = compared({kCat, "--mask", "causal"});
  CHECK(contains(outcome.out, "only in B: masked"));
}

TEST_CASE("numbers of another program are held against the layer with the place of the first wrong one") {
  const TemporaryFolder folder;
  auto arrays = trace_of(folder / "mine.npz");
  CHECK(compared({kCat, folder / "mine.npz", "--tolerance", "0"}).status == kDone);
  Array& scaled = arrays.at("scaled");
  REQUIRE(scaled.shape == std::vector<std::size_t>{2, 5, 5});
  scaled.values[25 + 3 * 5 + 1] += 0.25f;
  arrays.at("weights").values[30] += 0.5f;
  write(folder / "wrong.npz", arrays);
  const Outcome outcome = compared({kCat, folder / "wrong.npz"});
  CHECK(outcome.status == kDifferent);
  CHECK(contains(outcome.out, "the first that differs is scaled at 1, 3, 1"));
  CHECK(first_of(compared({folder / "wrong.npz", kCat})) == "scaled");
}

TEST_CASE("a batch axis of 1 is no difference and another shape is one") {
  const TemporaryFolder folder;
  auto arrays = trace_of(folder / "mine.npz");
  arrays.at("scores").shape.insert(arrays.at("scores").shape.begin(), 1);
  write(folder / "batch.npz", arrays);
  CHECK(compared({kCat, folder / "batch.npz"}).status == kDone);
  arrays.at("weights").shape = {2, 25, 1};
  write(folder / "other.npz", arrays);
  const Outcome outcome = compared({kCat, folder / "other.npz"});
  CHECK(outcome.status == kDifferent);
  CHECK(contains(outcome.out, "weights: its shapes are 2×5×5 and 2×25×1"));
}

TEST_CASE("the differences are written as B minus A") {
  const TemporaryFolder folder;
  const auto a = trace_of(folder / "a.npz"), b = trace_of(folder / "b.npz", {"--temperature", "3"});
  const Outcome outcome = compared({kCat, "--temperature", "3", "-o", folder / "off.npz"});
  CHECK(outcome.status == kDifferent);
  const auto off = parse_npz<float>(read_file(folder / "off.npz"));
  REQUIRE(off.size() == a.size());
  for (const auto& [id, array] : off) {
    CAPTURE(id);
    REQUIRE(array.shape == a.at(id).shape);
    for (std::size_t i = 0; i < array.values.size(); ++i)
      CHECK(array.values[i] == b.at(id).values[i] - a.at(id).values[i]);
  }
}

TEST_CASE(
    "one file that holds a layer and its results is held against itself with the options over the layer") {
  const TemporaryFolder folder;
  // Projected, two heads, causal: the file says neither.
  const Document document = read_document(kCat);
  const auto put = [](const Tensor& t) {
    return Array{{t.rows(), t.columns()}, {t.values().begin(), t.values().end()}};
  };
  auto arrays = trace_of(folder / "t.npz", {"--mask", "causal", "--position", "none"});
  arrays.erase("mask");
  const LayerSpec& layer = document.layer();
  arrays["x"] = put(layer.x);
  arrays["w_q"] = put(layer.w_q), arrays["w_k"] = put(layer.w_k), arrays["w_v"] = put(layer.w_v);
  if (!layer.w_o.empty()) arrays["w_o"] = put(layer.w_o);
  write(folder / "mine.npz", arrays);
  const Words options{"--heads", "2", "--mask", "causal"};
  Words words{folder / "mine.npz"};
  words.insert(words.end(), options.begin(), options.end());
  CHECK(compared(words).status == kDone);
  CHECK_FALSE(contains(compared(words).out, "only in A: w_q"));
  CHECK(first_of(compared({folder / "mine.npz", "--heads", "2"})) == "row_max");
  arrays.at("weights").values[7] += 0.25f;
  write(folder / "mine.npz", arrays);
  CHECK(first_of(compared(words)) == "weights");
  // Two files: the options are laid over the layer, wherever it stands.
  write(folder / "layer.npz", {{"x", arrays.at("x")},
                               {"w_q", arrays.at("w_q")},
                               {"w_k", arrays.at("w_k")},
                               {"w_v", arrays.at("w_v")},
                               {"w_o", arrays.at("w_o")}});
  CHECK(first_of(compared({folder / "layer.npz", folder / "mine.npz", "--heads", "2", "--mask", "causal"})) ==
        "weights");
  CHECK(first_of(compared({folder / "mine.npz", folder / "layer.npz", "--heads", "2", "--mask", "causal"})) ==
        "weights");
}

TEST_CASE("an array that no stage has is not passed over when all others are equal") {
  const TemporaryFolder folder;
  auto arrays = trace_of(folder / "t.npz");
  arrays["wieghts"] = arrays.at("weights");
  write(folder / "mine.npz", arrays);
  const Outcome outcome = compared({kCat, folder / "mine.npz"});
  CHECK(contains(outcome.out, "only in B: wieghts"));
  CHECK(contains(outcome.out, "no number that both have differs by more than"));
  CHECK(contains(outcome.out, "not compared: wieghts"));
}

TEST_CASE("what cannot be compared says what to do") {
  const TemporaryFolder folder;
  trace_of(folder / "a.npz");
  const Outcome alone = compared({kCat});
  CHECK(alone.status == kBadWords);
  CHECK(contains(alone.err, "compare needs two inputs"));
  const Outcome files = compared({folder / "a.npz", folder / "a.npz"});
  CHECK(files.status == kBadWords);
  CHECK(contains(files.err, "compare one of them with the layer"));
  CHECK(first_of(compared({kCat, folder / "a.npz", "--mask", "causal"})) == "row_max");
  auto results = trace_of(folder / "a.npz");
  results.erase("q");
  write(folder / "results.npz", results);
  const Outcome alone_too = compared({folder / "results.npz"});
  CHECK(alone_too.status == kBadWords);
  CHECK(contains(alone_too.err, "holds results and no layer"));
  for (const char* word : {"-1", "much", "nan", "inf", "1e999"}) {
    const Outcome tolerance = compared({kCat, kCat, "--tolerance", word});
    CHECK(tolerance.status == kBadWords);
    CHECK(contains(tolerance.err, "--tolerance takes a finite number"));
  }
  CHECK(compared({kCat, folder / "none.npz"}).status == kBadInput);
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const Outcome pipe = compared({folder / "pipe", "--mask", "causal"});
  CHECK(pipe.status == kBadWords);
  CHECK(contains(pipe.err, "a pipe can be read once: give a file"));
}
