// Scoring functions of whole layers: against their definitions over random sizes, opened and at once, with
// parameters that are made, resized and refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/attention/scoring_parameters.h"
#include "tests/core/direct_layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Values = std::vector<double>;

Values row_of(const Tensor& x, std::size_t head, std::size_t row) {
  Values values;
  for (std::size_t j = 0; j < x.columns(); ++j) values.push_back(x[{head, row, j}]);
  return values;
}

// M·x, or M's columns from `first` on times x.
Values times(const Tensor& m, const Values& x, std::size_t first = 0) {
  Values y(m.rows());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += static_cast<double>(m[{0, i, first + j}]) * x[j];
  return y;
}

double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double bent(const Values& v, const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * std::tanh(a[i] + b[i]);
  return sum;
}

// By the definitions (Luong et al. 2015, Bahdanau et al. 2015).
double defined(const LayerSpec& l, const Values& q, const Values& k) {
  switch (l.scoring) {
    case Scoring::dot:
      return dot(q, k);
    case Scoring::general:
      return dot(q, times(l.score_w, k));
    case Scoring::concat:
      return bent(row_of(l.score_v, 0, 0), times(l.score_w, q), times(l.score_w, k, q.size()));
    case Scoring::additive:
      return bent(row_of(l.score_v, 0, 0), times(l.score_w_q, q), times(l.score_w_k, k));
    case Scoring::gaussian: {
      double squares = 0;
      for (std::size_t i = 0; i < q.size(); ++i) squares += (q[i] - k[i]) * (q[i] - k[i]);
      return -squares / (2 * l.sigma * l.sigma);
    }
    case Scoring::cosine: {
      const double size = std::sqrt(dot(q, q) * dot(k, k));
      return size == 0 ? 0 : dot(q, k) / size;
    }
  }
  return NAN;
}

LayerSpec with_scoring(LayerSpec layer, Scoring scoring) {
  layer.scoring = scoring;
  make_score_parameters(layer);
  return layer;
}

constexpr std::array kAll{Scoring::dot,      Scoring::general,  Scoring::concat,
                          Scoring::additive, Scoring::gaussian, Scoring::cosine};

}  // namespace

TEST_CASE("scores of every function are its definition over random sizes and shared heads") {
  Random random(31);
  for (const Scoring scoring : kAll)
    for (int i = 0; i < 40; ++i) {
      LayerSpec layer = random_direct(random);
      if (scoring_text(scoring).free_widths)
        layer.k = normal(random, {layer.k.stack(), layer.k.rows(), pick(random, 1, 6)});
      layer.sigma = 0.5 + 0.25 * static_cast<double>(pick(random, 0, 8));
      layer = with_scoring(layer, scoring);
      const Tensor64 scores = stage_of(layer, "scores");
      const std::size_t group = layer.q.stack() / layer.k.stack();
      INFO(scoring_text(scoring).word);
      for (std::size_t h = 0; h < scores.stack(); ++h)
        for (std::size_t r = 0; r < scores.rows(); ++r)
          for (std::size_t j = 0; j < scores.columns(); ++j)
            REQUIRE(std::abs(scores[{h, r, j}] -
                             defined(layer, row_of(layer.q, h, r), row_of(layer.k, h / group, j))) < 1e-12);
    }
}

TEST_CASE("additive scores at once are the numbers of their opened steps") {
  for (const Scoring scoring : {Scoring::additive, Scoring::concat}) {
    const LayerSpec small = with_scoring(direct_layer({2, 3, 4}, {1, 5, 4}, 7), scoring);
    const Graph opened = build_graph(small);
    REQUIRE(opened.find("pair_tanh"));
    const auto fused = [&](auto outputs) {
      std::vector<std::decay_t<decltype(outputs[0])>> inputs;
      for (const char* id : {"q_hidden", "k_hidden", "score_v"}) inputs.push_back(outputs[*opened.find(id)]);
      return inputs;
    };
    const std::vector<Tensor64> wide = evaluate_in_double(opened);
    const Tensor64 at_once = run_in_double(AdditiveScore{}, fused(wide));
    const Tensor64& steps = wide[*opened.find("scores")];
    REQUIRE(at_once.shape() == steps.shape());
    for (std::size_t i = 0; i < steps.values().size(); ++i)
      CHECK(std::abs(at_once.values()[i] - steps.values()[i]) <= 1e-14);
    // In float every step rounds on its way.
    const Results results = evaluated({.layers = {small}});
    std::vector<Tensor> stages;
    for (const StageResult& output : results.outputs) stages.push_back(output.whole());
    const Tensor floats = make_reference_backend()->run(AdditiveScore{}, fused(stages), Numbers::here);
    for (std::size_t i = 0; i < steps.values().size(); ++i)
      CHECK(std::abs(floats.values()[i] - results.output("scores").values()[i]) <=
            2e-6 + 2e-5 * std::abs(steps.values()[i]));
  }
}

TEST_CASE(
    "pairs are stages of their own as far as they can be looked at and their scores are the same beyond") {
  const LayerSpec large = with_scoring(direct_layer({1, 70, 4}, {1, 70, 4}, 8), Scoring::additive);
  const Graph graph = build_graph(large);
  CHECK_FALSE(graph.find("pair_sum"));
  CHECK(graph.find("q_hidden"));
  const Tensor64 scores = stage_of(large, "scores");
  for (const std::size_t i : {0, 33, 69})
    CHECK(scores[{0, i, 69 - i}] ==
          doctest::Approx(defined(large, row_of(large.q, 0, i), row_of(large.k, 0, 69 - i))));
  const Graph small = build_graph(with_scoring(direct_layer({1, 7, 4}, {1, 7, 4}, 8), Scoring::additive));
  const Stage& pairs = small.stages[small.find("pair_sum").value()];
  CHECK(pairs.shape == Shape{1, 49, 4});
  REQUIRE(pairs.rows.labels);
  CHECK(pairs.rows.labels->at(8) == "1 → 1");
}

TEST_CASE("a number typed over a step of the score goes into the scores") {
  for (const auto& [scoring, stage] : {std::pair{Scoring::additive, "pair_tanh"},
                                       {Scoring::general, "q_w"},
                                       {Scoring::gaussian, "distances"},
                                       {Scoring::cosine, "q_length"}}) {
    Document document{{with_scoring(direct_layer({1, 3, 2}, {1, 3, 2}, 9), scoring)}};
    const Tensor before = evaluated(document).output("scores");
    set_number(document, stage, {0, 0, 0}, 5);
    const Tensor after = evaluated(document).output("scores");
    INFO(stage);
    CHECK(after[{0, 0, 0}] != before[{0, 0, 0}]);
    CHECK(after[{0, 2, 2}] == before[{0, 2, 2}]);
  }
}

TEST_CASE("parameters that are missing are the ones that a choice of the score makes") {
  for (const Scoring scoring : {Scoring::general, Scoring::concat, Scoring::additive}) {
    LayerSpec missing = direct_layer({1, 3, 2}, {1, 4, 3}, 10);
    missing.scoring = scoring;
    const LayerSpec made = with_scoring(missing, scoring);
    CHECK_FALSE(missing == made);
    CHECK(evaluated({.layers = {missing}}).output("scores") ==
          evaluated({.layers = {made}}).output("scores"));
  }
}

TEST_CASE("queries and keys of two widths are refused by scores that compare them feature by feature") {
  LayerSpec layer = direct_layer({1, 3, 2}, {1, 4, 3}, 11);
  for (const Scoring scoring : kAll) {
    layer.scoring = scoring;
    const std::string message = message_of([&] { build_graph(layer); });
    INFO(scoring_text(scoring).word, ": ", message);
    CHECK((message == "no error") == scoring_text(scoring).free_widths);
    CHECK(contains(message, "general, concat or additive") == !scoring_text(scoring).free_widths);
  }
  LayerSpec projected = projected_document().layer();
  projected.w_k = counting({1, 4, 6});
  CHECK(contains(message_of([&] { build_graph(projected); }), "general, concat or additive"));
  projected.scoring = Scoring::general;
  CHECK(build_graph(projected).stages[*build_graph(projected).find("scores")].shape == Shape{2, 3, 3});
}

TEST_CASE("a parameter that does not fit is named with the shape that does") {
  LayerSpec layer = direct_layer({1, 3, 2}, {1, 4, 3}, 12);
  layer.scoring = Scoring::concat;
  layer.score_w = counting({1, 4, 4});
  CHECK(contains(message_of([&] { build_graph(layer); }), "score_w is 4×4"));
  CHECK(contains(message_of([&] { build_graph(layer); }), "need it 4×5"));
}

TEST_CASE("choosing a score makes its parameters and a second choice keeps those that fit") {
  Document document = projected_document();
  set_scoring(document, Scoring::additive);
  CHECK(document.layer().score_w_q.shape() == Shape{1, 2, 2});
  CHECK(document.layer().score_v.shape() == Shape{1, 1, 2});
  const Tensor v = document.layer().score_v;
  set_number(document, "score_w_q", {0, 1, 0}, 3);
  CHECK(document.layer().score_w_q[{0, 1, 0}] == 3);
  set_scoring(document, Scoring::concat);
  CHECK(document.layer().score_w.shape() == Shape{1, 2, 4});
  CHECK(document.layer().score_v == v);
  set_scoring(document, Scoring::general);
  CHECK(document.layer().score_w.shape() == Shape{1, 2, 2});
  set_scoring(document, Scoring::additive);
  CHECK(document.layer().score_w_q[{0, 1, 0}] == 3);
}

TEST_CASE("parameters of the score follow the heads and the hidden width") {
  Document document = projected_document();
  set_scoring(document, Scoring::additive);
  const Tensor before = document.layer().score_w_q;
  set_heads(document, 1, 1);
  CHECK(document.layer().score_w_q.shape() == Shape{1, 2, 4});
  CHECK(document.layer().score_w_q[{0, 1, 1}] == before[{0, 1, 1}]);
  set_hidden_width(document, 5);
  CHECK(document.layer().score_w_k.shape() == Shape{1, 5, 4});
  CHECK(document.layer().score_v.columns() == 5);
  CHECK(build_graph(document.layer()).find("scores"));
  set_scoring(document, Scoring::dot);
  CHECK(contains(message_of([&] { set_hidden_width(document, 3); }), "no hidden features"));
}

// Counted as they are made, one by one.
TEST_CASE("what a score costs is counted by loops over its definition") {
  for (const Scoring scoring : kAll)
    for (const std::size_t d_q : {3, 5})
      for (const std::size_t m : {1, 7}) {
        const bool free = scoring_text(scoring).free_widths;
        const std::size_t d_k = free ? 4 : d_q, d_a = 6;
        std::size_t count = 0;
        const auto each = [&](std::size_t times) {
          for (std::size_t i = 0; i < times; ++i) ++count;
        };
        if (scoring == Scoring::general)
          for (std::size_t i = 0; i < d_q; ++i) each(d_k);
        if (scoring == Scoring::additive || scoring == Scoring::concat)
          for (std::size_t i = 0; i < d_a; ++i) each(d_q);
        if (scoring == Scoring::cosine) each(d_q), each(d_q);  // squares, and the division
        for (std::size_t j = 0; j < m; ++j) {
          if (scoring == Scoring::additive || scoring == Scoring::concat) {
            for (std::size_t i = 0; i < d_a; ++i) each(d_k);
            each(d_a);
            continue;
          }
          each(d_k);
          if (scoring == Scoring::gaussian) each(1);
          if (scoring == Scoring::cosine) each(d_k), each(d_k);
        }
        INFO(scoring_text(scoring).word);
        CHECK(score_cost(scoring, {d_q, d_k, d_a}, m).count == count);
      }
}
