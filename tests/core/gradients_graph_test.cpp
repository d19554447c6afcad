// The graph of the workspace of gradients: losses by hand, what is typed over targets and labels, where its
// stages are, and the steps backwards.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/document/edit.h"
#include "core/gradients/graph.h"
#include "core/reference/backend.h"
#include "tests/core/checked.h"
#include "tests/random_layer.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct LossGraph {
  explicit LossGraph(const Document& document) : built(build_gradients(document)) {}
  const GradientsPlaces& places() const { return *built.places.as<GradientsPlaces>(); }
  const Stage& stage(StageIndex index) const { return built.graph.stages[index]; }
  double loss() const { return outputs[places().loss].values()[0]; }
  const Tensor64& gradient(StageIndex of) const { return outputs[places().gradients.find(of).value()]; }

  Built built;
  std::vector<Tensor64> outputs = evaluate_in_double(built.graph);
};

// Queries of 0 hear every key alike: each row of the output is the mean of X, [3 2].
Document even_document(LossKind loss) {
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = Tensor({1, 3, 2}, {1, 2, 3, 4, 5, 0});
  layer.w_q = Tensor({1, 2, 2}, {0, 0, 0, 0});
  layer.w_k = layer.w_v = Tensor({1, 2, 2}, {1, 0, 0, 1});
  document.gradients.loss = loss;
  return document;
}

Document over_typed(Document document, std::string_view stage, Cell cell, float number) {
  set_number(document, kGradientsPlan, stage, cell, number);
  return document;
}

double loss_of_typed(const Document& document, std::string_view stage, Cell cell, float number) {
  return LossGraph(over_typed(document, stage, cell, number)).loss();
}

std::string formula_of(const Document& document) {
  const LossGraph computed(document);
  return computed.stage(computed.places().loss).formula;
}
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

std::vector<std::string> ids_of_stages(const LossGraph& computed, const std::vector<StageIndex>& stages) {
  std::vector<std::string> all;
  for (const StageIndex i : stages) all.push_back(computed.stage(i).id);
  return all;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("sums of the output are losses") {
  CHECK(LossGraph(even_document(LossKind::ones)).loss() == doctest::Approx(15));
  Document one = even_document(LossKind::one_hot);
  one.gradients.row = 1;
  CHECK(LossGraph(one).loss() == doctest::Approx(3));
  CHECK(formula_of(one) == "O[1, 0]");
  one.gradients.row = 99, one.gradients.column = 99;
  CHECK(LossGraph(one).loss() == doctest::Approx(2));
  CHECK(formula_of(one) == "O[2, 1]");
  const Document typed = even_document(LossKind::typed);
  CHECK(LossGraph(typed).loss() == doctest::Approx(15));
  CHECK(loss_of_typed(typed, "upstream", {0, 2, 1}, 2.5f) == doctest::Approx(18));
}

TEST_CASE("the mean square is from X of the next token, its own, or zeros") {
  Document document = even_document(LossKind::mean_square);
  const LossGraph next(document);
  CHECK(next.loss() == doctest::Approx(3));
  CHECK(formula_of(document) == "Σ (output − target)² ÷ 4 numbers");
  const Tensor64& asked = next.gradient(next.places().layer.output);
  const double by_hand[] = {0, -1, -1, 1, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) CHECK(asked.values()[i] == doctest::Approx(by_hand[i]));
  CHECK(next.stage(next.places().asked).gaps);
  document.gradients.target = LossTarget::same;
  CHECK(LossGraph(document).loss() == doctest::Approx(16.0 / 6));
  document.gradients.target = LossTarget::zero;
  CHECK(LossGraph(document).loss() == doctest::Approx(6.5));
}

TEST_CASE("what is typed over the target is asked, and NaN asks nothing") {
  const Document document = even_document(LossKind::mean_square);
  CHECK(loss_of_typed(document, "target", {0, 2, 0}, 3) == doctest::Approx(12.0 / 5));
  CHECK(formula_of(over_typed(document, "target", {0, 2, 0}, 3)) == "Σ (output − target)² ÷ 5 numbers");
  CHECK(loss_of_typed(document, "target", {0, 0, 1}, kNoNumber) == doctest::Approx(8.0 / 3));
  CHECK(formula_of(over_typed(document, "target", {0, 0, 1}, kNoNumber)) ==
        "Σ (output − target)² ÷ 3 numbers");
  Document nothing = even_document(LossKind::mean_square);
  for (std::size_t i = 0; i < 4; ++i)
    set_number(nothing, kGradientsPlan, "target", {0, i / 2, i % 2}, kNoNumber);
  CHECK(LossGraph(nothing).loss() == 0);
}

TEST_CASE("labels are the largest features of the next tokens, and what is typed over them is a column") {
  const Document document = even_document(LossKind::cross_entropy);
  const double of_0 = std::log1p(std::exp(-1.0)), of_1 = 1 + of_0;  // −ln softmax [3 2]
  CHECK(LossGraph(document).loss() == doctest::Approx((of_1 + of_0) / 2).epsilon(1e-12));
  const auto with = [&](float label) { return loss_of_typed(document, "labels", {0, 0, 0}, label); };
  CHECK(with(0) == doctest::Approx(of_0).epsilon(1e-12));
  CHECK(with(0.4f) == doctest::Approx(of_0).epsilon(1e-12));
  for (const float no_column : {0.6f, 7.0f, std::numeric_limits<float>::infinity()})
    CHECK(with(no_column) == doctest::Approx((of_1 + of_0) / 2).epsilon(1e-12));
  for (const float none : {-1.0f, -7.5f, -0.2f, kNoNumber}) {
    CHECK(with(none) == doctest::Approx(of_0).epsilon(1e-12));
    CHECK(formula_of(over_typed(document, "labels", {0, 0, 0}, none)).ends_with("over 1 rows"));
  }
}

TEST_CASE("where X has not the output’s shape the loss is another and says so") {
  Document document{.layers = {three_tokens()}};
  document.gradients.loss = LossKind::mean_square;
  const LossGraph instead(document);
  CHECK(instead.places().kind == LossKind::ones);
  CHECK_FALSE(instead.places().instead.empty());
  document.gradients.target = LossTarget::zero;
  CHECK(LossGraph(document).places().kind == LossKind::mean_square);
  CHECK(LossGraph(document).places().instead.empty());
  document.gradients.loss = LossKind::cross_entropy;
  CHECK(LossGraph(document).places().kind == LossKind::cross_entropy);
  CHECK_FALSE(LossGraph(document).places().instead.empty());
}

TEST_CASE("with dO typed as in the worked example its gradients are those of the hand calculation") {
  Document document{.layers = {three_tokens()}};
  document.gradients.loss = LossKind::typed;
  std::vector<CellValue> cells;
  for (std::size_t i = 0; i < 12; ++i) {
    const Cell cell{0, i / 4, i % 4};
    cells.push_back({cell, cell.row == cell.column ? 1.0f : 0.0f});
  }
  set_numbers(document, kGradientsPlan, "upstream", cells);
  const LossGraph computed(document);
  const Tensor64 &d_q = computed.gradient(computed.places().layer.q),
                 &d_v = computed.gradient(computed.places().projected[2]);
  constexpr double kQuery[] = {.097456, -.645593, .645593, -.097456}, kValues[] = {.274069, .274069, .451863};
  for (std::size_t j = 0; j < 4; ++j) CHECK(std::abs(d_q[{0, 0, j}] - kQuery[j]) <= 0.5e-6);
  for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(d_v[{0, j, 0}] - kValues[j]) <= 0.5e-6);
}

TEST_CASE("places of a projected layer, a direct one, cross-attention and shared keys") {
  Document document = even_document(LossKind::ones);
  const LossGraph projected(document);
  CHECK(ids_of_stages(projected, projected.places().tokens) == Ids{"x"});
  CHECK(ids_of_stages(projected, projected.places().projected) == Ids{"q", "k", "v"});
  CHECK(ids_of_stages(projected, projected.places().parameters) == Ids{"w_q", "w_k", "w_v"});
  CHECK(ids_of_stages(projected, projected.places().attention) == Ids{"scaled", "weights", "output"});
  set_rule(document.layer(), std::optional(CausalRule{}));
  document.layer().memory = Tensor({1, 4, 2}, {1, 0, 0, 1, 1, 1, 2, 0});
  const LossGraph cross(document);
  CHECK(ids_of_stages(cross, cross.places().tokens) == Ids{"x", "memory"});
  CHECK(ids_of_stages(cross, cross.places().attention) == Ids{"masked", "weights", "output"});
  CHECK(cross.gradient(cross.places().tokens[1]).shape() == Shape{1, 4, 2});

  document.layer().precision = NumberFormat::float16;  // which changes no place
  CHECK(ids_of_stages(LossGraph(document), LossGraph(document).places().tokens) == Ids{"x", "memory"});
  CHECK(ids_of_stages(LossGraph(document), LossGraph(document).places().parameters) ==
        Ids{"w_q", "w_k", "w_v"});
  const LossGraph direct({.layers = {three_tokens()}});
  CHECK(direct.places().tokens.empty());
  CHECK(direct.places().parameters.empty());
  CHECK(ids_of_stages(direct, direct.places().projected) == Ids{"q", "k", "v"});

  Random random(seed(91));
  Document grouped;
  LayerSpec& layer = grouped.layer();
  layer.x = normal(random, {1, 5, 8}), layer.w_q = normal(random, {1, 8, 8});
  layer.w_k = layer.w_v = normal(random, {1, 8, 4}), layer.heads = 4, layer.kv_heads = 2;
  const LossGraph shared(grouped);
  CHECK(shared.gradient(shared.places().projected[0]).shape().stack == 4);
  CHECK(shared.gradient(shared.places().projected[1]).shape().stack == 2);
}

TEST_CASE("through a hard choice nothing flows, and the gradient says why") {
  Document document = even_document(LossKind::ones);
  document.layer().temperature = 0;
  const LossGraph computed(document);
  const StageIndex weighed = computed.places().layer.weighed;
  for (const double number : computed.gradient(weighed).values()) CHECK(number == 0);
  CHECK_FALSE(computed.stage(*computed.places().gradients.find(weighed)).zero.empty());
}

TEST_CASE("gradients times their numbers are 0 where a score is masked") {
  Random random(seed(92));
  Document document = even_document(LossKind::mean_square);
  document.layer().w_q = normal(random, {1, 2, 2});
  set_rule(document.layer(), std::optional(CausalRule{}));
  const LossGraph plain(document);
  CHECK(plain.places().beneath(plain.places().attention[0]) ==
        plain.places().gradients.find(plain.places().attention[0]));
  document.gradients.times_number = true;
  const LossGraph computed(document);
  const GradientsPlaces& p = computed.places();
  for (const auto* shown : {&p.tokens, &p.projected, &p.parameters, &p.attention})
    for (const StageIndex i : *shown) {
      CAPTURE(computed.stage(i).id);
      const StageIndex product = p.beneath(i).value();
      REQUIRE(product != p.gradients.find(i).value());
      CHECK(computed.stage(product).gradient_of == i);
      const auto numbers = computed.outputs[i].values(), by = computed.gradient(i).values();
      for (std::size_t e = 0; e < numbers.size(); ++e) {
        const double by_hand = std::isinf(numbers[e]) ? 0 : numbers[e] * by[e];
        CHECK(computed.outputs[product].values()[e] == doctest::Approx(by_hand).epsilon(1e-12));
      }
    }
}

TEST_CASE("the steps run backwards and hold every stage behind the output once") {
  Random random(seed(93));
  const Ids titles{"loss", "dO", "dV · dA", "dS", "dQ · dK", "dX", "dW"};
  for (int round = 0; round < 60; ++round) {
    Document document{.layers = {random_scored_layer(random)}};
    document.gradients.loss = static_cast<LossKind>(round % 5);
    document.gradients.times_number = coin(random);
    const Built built = build_gradients(document);
    const Graph& graph = built.graph;
    const auto& places = *built.places.as<GradientsPlaces>();
    const auto found = std::ranges::find(graph.steps, titles[0], &Step::title);
    const auto first = static_cast<std::size_t>(found - graph.steps.begin());
    REQUIRE(first + titles.size() <= graph.steps.size());
    std::map<StageIndex, std::size_t> step_of;
    for (std::size_t step = first; step < first + titles.size(); ++step) {
      CHECK(graph.steps[step].title == titles[step - first]);
      for (const StageIndex i : graph.steps[step].stages) {
        CHECK(step_of.emplace(i, step).second);
        CHECK(graph.stages[i].step == step);
      }
    }
    for (StageIndex i = 0; i < places.gradients.of.size(); ++i) {
      const auto gradient = places.gradients.find(i);
      if (!gradient) continue;
      CAPTURE(graph.stages[*gradient].id);
      CHECK(step_of.count(*gradient) == 1);
      const Stage& of = graph.stages[i];
      if (of.drawn == Drawn::parameters && of.inputs.empty()) CHECK(step_of[*gradient] == first + 6);
      if (of.drawn != Drawn::always) continue;
      if (of.role == Role::output) CHECK(step_of[*gradient] == first + 1);
      if (of.role == Role::weights) CHECK(step_of[*gradient] == first + 2);
      if (of.role == Role::score) CHECK(step_of[*gradient] == first + 3);
      if (of.role == Role::query) CHECK(step_of[*gradient] == first + 4);
      if (of.role == Role::token) CHECK(step_of[*gradient] == first + 5);
    }
  }
}

TEST_CASE("what is typed over a target or dO stays with its loss while another is chosen") {
  Document document = over_typed(even_document(LossKind::mean_square), "target", {0, 2, 0}, 3);
  const auto loss = [&](LossKind kind) {
    document.gradients.loss = kind;
    settle_overrides(document, kGradientsPlan);
    return LossGraph(document).loss();
  };
  loss(LossKind::typed);
  document = over_typed(document, "upstream", {0, 2, 1}, 2.5f);
  CHECK(loss(LossKind::typed) == doctest::Approx(18));
  CHECK(loss(LossKind::ones) == doctest::Approx(15));
  loss(LossKind::cross_entropy);
  CHECK(loss(LossKind::mean_square) == doctest::Approx(12.0 / 5));
  CHECK(loss(LossKind::typed) == doctest::Approx(18));
}

TEST_CASE("a sum of what flows back names its parts by how they are made") {
  const LossGraph computed(even_document(LossKind::ones));
  const Stage& dx = computed.stage(computed.places().gradients.find(computed.places().tokens[0]).value());
  REQUIRE(dx.inputs.size() == 2);
  CHECK(dx.title == "dX");
  CHECK(computed.stage(dx.inputs[0]).title == "(dV·W_Vᵀ + dK·W_Kᵀ)");
  CHECK(computed.stage(dx.inputs[1]).title == "(dQ·W_Qᵀ)");
}
