// Gradients that are exactly 0: each claim against the numbers, each reason against what it says.
#include "core/gradients/zeros.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>

#include "tests/layers.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct Zeroed {
  explicit Zeroed(const Document& document)
      : results(evaluated(document, kGradientsPlan)),
        places(*results.places.as<GradientsPlaces>()),
        found(exact_zeros(results, places)) {}

  const ExactZeros* of(const std::string& what) const {
    const auto at = std::ranges::find(found, what, &ExactZeros::what);
    return at == found.end() ? nullptr : &*at;
  }
  std::string why(const std::string& what) const { return of(what) ? of(what)->why : "not told"; }
  Tensor numbers(StageIndex stage) const { return results.outputs[stage].whole(); }
  Tensor d_scores() const { return numbers(*places.gradients.find(places.layer.weighed)); }

  Results results;
  GradientsPlaces places;
  std::vector<ExactZeros> found;
};

bool row_is_zero(const Tensor& t, std::size_t head, std::size_t row) {
  for (std::size_t j = 0; j < t.columns(); ++j)
    if (t[{head, row, j}] != 0) return false;
  return true;
}

// What a reason says of a row of dS, from the numbers of the graph without any helper of the program's.
struct RowFacts {
  std::vector<double> weights, earned;
  std::size_t keys_left = 0;
  bool output_asked = false, target = false;

  double most() const { return *std::ranges::max_element(weights); }
  bool earns_nothing() const {
    for (std::size_t j = 0; j < weights.size(); ++j)
      if (weights[j] != 0 && earned[j] != 0) return false;
    return true;
  }
};

RowFacts facts_of(const Zeroed& z, std::size_t head, std::size_t row) {
  const Graph& graph = z.results.graph;
  StageIndex weights = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (graph.stages[i].role == Role::weights && graph.stages[i].scores == z.places.layer.weighed) {
      weights = i;
      break;
    }
  const Tensor a = z.numbers(weights), d = z.numbers(*z.places.gradients.find(weights));
  const Tensor s = z.numbers(z.places.layer.weighed),
               o = z.numbers(*z.places.gradients.find(z.places.layer.output));
  RowFacts facts;
  const auto mask = graph.stages[z.places.layer.weighed].mask;
  for (std::size_t j = 0; j < a.columns(); ++j) {
    const Cell cell{head, row, j};
    facts.weights.push_back(static_cast<double>(a[cell]));
    facts.earned.push_back(static_cast<double>(d[cell]));
    const Tensor hidden = mask ? z.numbers(*mask) : Tensor();
    const bool masked = mask ? hidden[{hidden.stack() > 1 ? head : 0, row, j}] != 0 : s[cell] == -HUGE_VALF;
    facts.keys_left += s[cell] != -HUGE_VALF && (!masked || a[cell] != 0);
  }
  facts.output_asked = !row_is_zero(o, 0, row);
  if (z.places.kind == LossKind::mean_square)
    for (std::size_t j = 0; j < o.columns(); ++j)
      facts.target = facts.target || !std::isnan(z.numbers(z.places.asked)[{0, row, j}]);
  return facts;
}

bool is_true(const std::string& why, const RowFacts& f) {
  const std::map<std::string, std::function<bool()>> rules{
      {"every key masked", [&] { return f.keys_left == 0; }},
      {"every weight is 0", [&] { return f.most() == 0; }},
      {"one key: its weight stays 1", [&] { return f.keys_left == 1 && f.most() == 1; }},
      {"no target", [&] { return !f.output_asked && !f.target; }},
      {"no label", [&] { return !f.output_asked; }},
      {"its output is its target", [&] { return !f.output_asked && f.target; }},
      {"the loss asks nothing of it", [&] { return !f.output_asked; }},
      {"no weight of it moves the loss", [&] { return f.earns_nothing(); }},
      {"saturated: one weight is 1",
       [&] { return f.most() == 1 && std::ranges::count(f.weights, 0.0) + 1 == std::ssize(f.weights); }},
      {"saturated: weights of 0 or 1",
       [&] {
         for (std::size_t j = 0; j < f.weights.size(); ++j)
           if (f.weights[j] != 0 && f.weights[j] != 1 && f.earned[j] != 0) return false;
         return true;
       }},
      {"its keys would earn the same", [&] {
         std::vector<double> earned;
         for (std::size_t j = 0; j < f.weights.size(); ++j)
           if (f.weights[j] != 0) earned.push_back(f.earned[j]);
         return std::ranges::adjacent_find(earned, std::not_equal_to()) == earned.end();
       }}};
  const auto rule = rules.find(why);
  return rule != rules.end() && rule->second();
}

std::string listed(const std::vector<double>& numbers) {
  std::ostringstream text;
  for (const double x : numbers) text << x << " ";
  return text.str();
}

void check_true(const std::string& why, const RowFacts& facts) {
  CAPTURE(listed(facts.weights));
  CAPTURE(listed(facts.earned));
  CHECK(is_true(why, facts));
}

// The document's layer with a loss.
Document asked(const LayerSpec& layer, LossKind loss = LossKind::ones) {
  Document document{.layers = {layer}};
  document.gradients.loss = loss;
  return document;
}

LayerSpec five_words(std::size_t heads = 1) {
  LayerSpec layer;
  layer.x = drawn({1, 5, 4}, 1);
  layer.w_q = drawn({1, 4, 4}, 2), layer.w_k = drawn({1, 4, 4}, 3), layer.w_v = drawn({1, 4, 4}, 4);
  layer.heads = layer.kv_heads = heads;
  layer.tokens = {"the", "cat", "sat", "on", "mat"};
  return layer;
}

LayerSpec causal_layer() {
  LayerSpec layer = five_words();
  set_causal(layer, CausalAlign::lower_right);
  return layer;
}

}  // namespace

TEST_CASE("of random layers every zero row of dS is told with a reason that is true, and no other is") {
  Random random(seed(711));
  std::size_t layers = 0, rows = 0, tokens = 0;
  for (int run = 0; run < 240; ++run) {
    CAPTURE(run);
    LayerSpec layer = random_layer(random);
    if (coin(random)) layer.weighting = static_cast<Weighting>(pick(random, 0, kWeightings.size() - 1));
    if (coin(random)) set_causal(layer, CausalAlign::lower_right);
    Document document = asked(layer, static_cast<LossKind>(pick(random, 0, 4)));
    document.gradients.row = pick(random, 0, 6);
    const Zeroed z(document);
    ++layers;
    const StageIndex d_scores = *z.places.gradients.find(z.places.layer.weighed);
    const Tensor numbers = z.d_scores();
    const bool whole = !z.results.graph.stages[d_scores].zero.empty();
    const bool by_query = z.results.graph.stages[d_scores].rows.along == Axis::queries;
    for (const ExactZeros& zero : z.found) {
      CAPTURE(zero.what);
      CAPTURE(zero.why);
      CHECK_FALSE(zero.what.empty());
      if (zero.counted()) {
        CHECK(zero.stage == d_scores);
        continue;
      }
      CHECK_FALSE(zero.why.empty());
      CHECK(row_is_zero(z.numbers(zero.stage), zero.cell.head, zero.cell.row));
      tokens += zero.stage != d_scores && zero.what.starts_with("row");
      if (whole || !by_query || zero.stage != d_scores) continue;
      ++rows;
      for (std::size_t head = 0; zero.why.find(", ") == std::string::npos && head < numbers.stack(); ++head)
        if (zero.what.find(" of head ") == std::string::npos || head == zero.cell.head)
          check_true(zero.why, facts_of(z, head, zero.cell.row));
    }
    if (whole || !by_query) continue;
    for (std::size_t head = 0; head < numbers.stack(); ++head)
      for (std::size_t row = 0; row < numbers.rows(); ++row) {
        const bool told = std::ranges::any_of(z.found, [&](const ExactZeros& zero) {
          const auto along = z.results.graph.stages[zero.stage].rows.along;
          return !zero.counted() && zero.what.starts_with("row") && along == Axis::queries &&
                 zero.cell.row == row &&
                 (zero.what.find(" of head ") == std::string::npos || zero.cell.head == head);
        });
        CAPTURE(head);
        CAPTURE(row);
        if (row_is_zero(numbers, head, row)) CHECK(told);
      }
  }
  MESSAGE(layers << " layers, " << rows << " rows of dS, " << tokens << " rows of tokens");
  CHECK(rows > 50);
  CHECK(tokens > 5);
}

TEST_CASE("behind the causal mask all is 0; the first token has one key, the last no target") {
  const Zeroed z(asked(causal_layer(), LossKind::mean_square));
  REQUIRE(z.of("masked scores"));
  CHECK(z.of("masked scores")->zeros == 10);
  CHECK(z.of("masked scores")->of == 10);
  CHECK(z.why("row “the”") == "one key: its weight stays 1");
  CHECK(z.why("row “mat”") == "no target, seen by no one else");
  CHECK(z.found.size() == 3);
  CHECK(z.of("row “mat”")->stage == *z.places.gradients.find(z.places.tokens.front()));
}

TEST_CASE("without a mask nothing is 0") {
  CHECK(Zeroed(asked(five_words())).found.empty());
}

TEST_CASE("one-hot asks one row, and tokens behind it are seen by none that is asked") {
  Document document = asked(causal_layer(), LossKind::one_hot);
  document.gradients.row = 2;
  const Zeroed z(document);
  CHECK(z.why("row “the”") == "the loss asks nothing of it");
  CHECK(z.why("row “cat”") == "the loss asks nothing of it");
  CHECK(z.why("row “sat”") == "not told");
  CHECK(z.why("row “on”") == "the loss asks nothing of it, seen only where nothing is asked");
  CHECK(z.why("row “mat”") == "the loss asks nothing of it, seen by no one else");
}

TEST_CASE("a row without a key, a key that no one sees") {
  LayerSpec layer = five_words();
  std::vector<float> mask(25, 0);
  for (std::size_t j = 0; j < 5; ++j) mask[1 * 5 + j] = 1;  // “cat” sees nothing
  for (std::size_t i = 0; i < 5; ++i) mask[i * 5 + 3] = 1;  // no one sees “on”
  layer.mask = Tensor({1, 5, 5}, mask);
  const Zeroed z(asked(layer));
  CHECK(z.of("masked scores")->zeros == 9);
  CHECK(z.why("row “cat”") == "every key masked");
  CHECK(z.why("row “on”") == "not told");  // its own query is asked
}

TEST_CASE("a hard choice and rounding say why whole stages are 0") {
  LayerSpec layer = causal_layer();
  layer.temperature = 0;
  const Zeroed hard(asked(layer));
  REQUIRE_FALSE(hard.found.empty());
  CHECK(hard.found[0].what == "dS, dQ, dK, dW_Q, dW_K");
  CHECK(hard.found[0].why.find("hard choice") == 0);
  layer.temperature = 1, layer.precision = NumberFormat::float16;
  const Zeroed rounded(asked(layer));
  REQUIRE_FALSE(rounded.found.empty());
  CHECK(rounded.found[0].why.find("rounding") == 0);
  CHECK(rounded.found[0].what.find("dV") != std::string::npos);
}

TEST_CASE("scores far apart saturate in float: a weight of 1 that no score moves") {
  LayerSpec layer = five_words();
  layer.scale = {ScaleMode::number, 1e4};
  const Zeroed z(asked(layer));
  const Tensor weights = z.results.output(Role::weights);
  std::size_t saturated = 0;
  for (std::size_t row = 0; row < 5; ++row) {
    bool all = true;
    for (std::size_t j = 0; j < 5; ++j) all = all && (weights[{0, row, j}] == 0 || weights[{0, row, j}] == 1);
    saturated += all;
  }
  CHECK(saturated > 0);
  const auto told = std::ranges::count_if(
      z.found, [](const ExactZeros& zero) { return zero.why.starts_with("saturated: one weight is 1"); });
  CHECK(static_cast<std::size_t>(told) == saturated);
}

TEST_CASE("a row that is 0 in one head alone says in which") {
  LayerSpec layer = five_words(2);
  std::vector<float> mask(50, 0);
  for (std::size_t j = 1; j < 5; ++j) mask[25 + 2 * 5 + j] = 1;  // in head 1 “sat” sees “the” alone
  layer.mask = Tensor({2, 5, 5}, mask);
  const Zeroed z(asked(layer));
  CHECK(z.why("row “sat” of head 1") == "one key: its weight stays 1");
  CHECK(z.why("row “sat”") == "not told");
}
