// Differentiation from graph to graph: what each number of a layer means to a loss, against central
// differences in double, and the exact zeros.
#include "core/gradient/gradients.h"

#include <doctest/doctest.h>

#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>

#include "core/checks/central_differences.h"
#include "core/gradient/loss.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/random_layer.h"
#include "tests/sanitized.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A layer with its loss and the way back.
struct Learning {
  explicit Learning(const LayerSpec& layer, const Loss& loss = {}) {
    const StageIndex output = append_layer(graph, layer).output;
    gradients = append_gradients(graph, append_loss(graph, output, loss));
  }
  const Stage& stage(const std::string& id) const { return graph.stages[graph.find(id).value()]; }
  Tensor64 at(const std::string& id) const { return evaluate_in_double(graph)[graph.find(id).value()]; }

  Graph graph;
  Gradients gradients;
};

Loss typed_for(Random& random, const LayerSpec& layer) {
  Graph graph;
  const StageIndex output = append_layer(graph, layer).output;
  return {.kind = LossKind::typed, .given = normal(random, graph.stages[output].shape)};
}

std::string number(double x) {
  std::ostringstream text;
  text << std::setprecision(12) << x;
  return text.str();
}

std::string described(const Graph& graph, const std::optional<Difference>& worst) {
  if (!worst) return "";
  const Difference& found = *worst;
  const Cell& c = found.cell;
  return graph.stages[found.stage].id + "[" + std::to_string(c.head) + "," + std::to_string(c.row) + "," +
         std::to_string(c.column) + "]: gradient " + number(found.gradient) + ", difference " +
         number(found.quotient) + ", error " + number(found.error);
}

LayerSpec three_random_tokens() {
  LayerSpec layer;
  layer.direct = true;
  layer.q = drawn({1, 3, 2}, 1), layer.k = drawn({1, 3, 2}, 2), layer.v = drawn({1, 3, 2}, 3);
  return layer;
}

bool are_numbers(const Tensor64& tensor) {
  return std::ranges::none_of(tensor.values(), [](double x) { return std::isnan(x); });
}

bool is_zero(const Tensor64& tensor) {
  return std::ranges::all_of(tensor.values(), [](double x) { return x == 0; });
}

}  // namespace

TEST_CASE("gradients of random layers are what central differences in double say") {
  Random random(seed(331));
  const std::size_t runs = kSanitized ? 60 : 200;
  std::size_t layers = 0, numbers = 0, crossed = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    CAPTURE(run);
    LayerSpec layer = random_layer(random);
    if (coin(random)) random_mistakes(random, layer);
    Learning learning(layer, typed_for(random, layer));
    CentralDifferences differences(learning.graph, learning.gradients);
    // A row without a key that is NaN; a head that is switched off may hide it from the loss.
    if (!std::isfinite(differences.loss()) || !are_numbers(learning.at("weights"))) continue;
    const DifferenceCheck check = check_all(differences, learning.graph);
    ++layers, numbers += check.numbers, crossed += check.crossed;
    INFO(described(learning.graph, check.worst));
    CHECK(check.accepted());
  }
  MESSAGE(layers << " layers, " << numbers << " numbers, " << crossed << " at a bend");
  CHECK(layers > runs * 3 / 5);
  CHECK(crossed < numbers / 4);
}

TEST_CASE("every loss has the gradient that differences say, and rows that are not asked have none") {
  const float nan = std::nanf("");
  const std::vector<Loss> losses{
      {},
      {.kind = LossKind::one_hot, .row = 1, .column = 0},
      {.kind = LossKind::typed, .given = drawn({1, 3, 2}, 7)},
      {.kind = LossKind::mean_square, .given = Tensor({1, 3, 2}, {0.5f, -1, nan, nan, 2, 0})},
      {.kind = LossKind::cross_entropy, .labels = {1, -1, 0}}};
  for (const Loss& loss : losses) {
    CAPTURE(static_cast<int>(loss.kind));
    Learning learning(three_random_tokens(), loss);
    CentralDifferences differences(learning.graph, learning.gradients);
    const DifferenceCheck check = check_all(differences, learning.graph);
    CHECK(check.numbers == 18);
    CHECK(check.accepted());
    CHECK(check.worst->error < 1e-7);
    CHECK(check.worst->share > 0);
    const bool second_asked = loss.kind != LossKind::mean_square && loss.kind != LossKind::cross_entropy;
    const Tensor64 output = learning.at("d_output");
    CHECK((output[{0, 1, 0}] != 0) == second_asked);
    CHECK((learning.at("d_q")[{0, 1, 0}] != 0) == second_asked);
  }
}

TEST_CASE("a loss that does not fit the output says what would") {
  const auto refused = [](const Loss& loss) -> std::string {
    try {
      Learning learning(three_random_tokens(), loss);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refused({.kind = LossKind::one_hot, .row = 3}) ==
        "the output has no cell [3, 0]: it is 3×2, counted from 0");
  CHECK(refused({.kind = LossKind::typed, .given = drawn({1, 2, 2}, 1)}).find("the output is 3×2") !=
        std::string::npos);
  CHECK(refused({.kind = LossKind::cross_entropy, .labels = {0, 1}}).find("2 labels") != std::string::npos);
  CHECK(refused({.kind = LossKind::cross_entropy, .labels = {0, 1, 2}}).find("use 0 … 1") !=
        std::string::npos);
}

TEST_CASE("a gradient stage names its stage and reads like it") {
  Random random(seed(332));
  LayerSpec layer = random_projected(random);
  const Learning learning(layer);
  for (StageIndex i = 0; i <= learning.gradients.loss; ++i) {
    const auto found = learning.gradients.find(i);
    if (!found) continue;
    const Stage &stage = learning.graph.stages[i], &gradient = learning.graph.stages[*found];
    CAPTURE(stage.id);
    CHECK(gradient.id == "d_" + stage.id);
    CHECK(gradient.shape == stage.shape);
    CHECK(gradient.role == Role::gradient);
    CHECK(gradient.gradient_of == i);
    CHECK(gradient.rows.name == stage.rows.name);
    CHECK_FALSE(gradient.formula.empty());
    CHECK(gradient.formula.find('%') == std::string::npos);
    CHECK_FALSE(gradient.read_only.empty());
  }
  CHECK(learning.stage("d_q").title == "dQ");
  CHECK(learning.stage("d_weights").title == "dA");
  CHECK(learning.stage("d_scaled").title == "dS");
  CHECK(learning.stage("d_scaled").formula == "A ⊙ (dA − Σ dA ⊙ A)");
  CHECK(learning.stage("d_w_q").traced);
  CHECK(learning.graph.find(Role::weights) == learning.graph.find("weights"));
}

TEST_CASE(
    "where a mask hides, what is behind it is exactly 0, NaN too; a single key and no key ask nothing") {
  LayerSpec layer = three_random_tokens();
  layer.mask = Tensor({1, 3, 3}, {0, 1, 1, 1, 1, 1, 0, 0, 1});  // one key, none, two
  const Learning learning(layer, {.kind = LossKind::typed, .given = drawn({1, 3, 2}, 8)});
  const Tensor64 masked = learning.at("d_masked"), scaled = learning.at("d_scaled"), v = learning.at("d_v");
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      const bool asked = i == 2 && j < 2;
      CHECK((masked[{0, i, j}] != 0) == asked);
      CHECK((scaled[{0, i, j}] != 0) == asked);
    }
  CHECK(v[{0, 2, 0}] == 0);  // seen by no one
  layer.v = Tensor({1, 3, 2}, {1, 2, 3, 4, std::nanf(""), 5});
  const Learning behind(layer, {.kind = LossKind::typed, .given = drawn({1, 3, 2}, 8)});
  CHECK(behind.at("d_masked")[{0, 2, 2}] == 0);
  CHECK(std::isfinite(behind.at("d_masked")[{0, 2, 0}]));
}

TEST_CASE("a hard choice and rounding pass nothing on, and say why") {
  LayerSpec hard = three_random_tokens();
  hard.temperature = 0;
  const Learning chosen(hard);
  CHECK(is_zero(chosen.at("d_scaled")));
  CHECK(chosen.stage("d_scaled").zero.find("hard choice") != std::string::npos);
  CHECK(is_zero(chosen.at("d_q")));
  CHECK_FALSE(is_zero(chosen.at("d_v")));
  LayerSpec rounded = three_random_tokens();
  rounded.precision = NumberFormat::float16;
  const Learning steps(rounded);
  CHECK(is_zero(steps.at("d_v")));
}

TEST_CASE("only what leads to the numbers asked for is appended, and a stage without a way back is named") {
  Graph graph;
  const LayerStages places = append_layer(graph, three_random_tokens());
  const StageIndex loss = append_loss(graph, places.output, {});
  const std::size_t before = graph.stages.size();
  const Gradients gradients = append_gradients(graph, loss, std::vector{places.v});
  CHECK(gradients.find(places.v));
  CHECK_FALSE(gradients.find(places.scores));
  CHECK(graph.stages.size() - before <= 5);  // 1, output, head output, values: nothing of scores
  Graph other;
  const StageIndex x =
      other.add({.id = "x", .title = "x", .formula = "given", .operation = Source{drawn({1, 1, 4}, 1)}});
  const StageIndex said = other.add({.id = "entropy",
                                     .title = "entropy",
                                     .formula = "entropy",
                                     .operation = RowStatistic{RowFigure::entropy},
                                     .inputs = {x}});
  CHECK_THROWS_WITH_AS(
      append_gradients(other, said),
      "entropy has no gradient: it says something of numbers, and nothing is computed from it "
      "(row_statistic)",
      Error);
  CHECK_THROWS_AS(append_gradients(other, x), Error);
}

TEST_CASE("numbers typed over steps of a softmax change what flows past them") {
  for (const char* id : {"exp", "row_sum", "row_max", "weights", "scaled", "head_output"}) {
    CAPTURE(id);
    Graph graph;
    graph.overrides = {{"pipeline", id, {{0, 1, 0}, 0.75f}}};
    const StageIndex output = append_layer(graph, three_random_tokens()).output;
    const StageIndex loss =
        append_loss(graph, output, {.kind = LossKind::typed, .given = drawn({1, 3, 2}, 9)});
    const Gradients gradients = append_gradients(graph, loss);
    CentralDifferences differences(graph, gradients);
    const DifferenceCheck check = check_all(differences, graph);
    INFO(described(graph, check.worst));
    CHECK(check.accepted());
  }
}

TEST_CASE("gradients of the layer’s own numbers are differences of layers") {
  LayerSpec layer = three_random_tokens();
  layer.qk_norm = true, layer.qk_gain = 1.5, layer.soft_cap = 2, layer.temperature = 0.8;
  layer.scale = {ScaleMode::number, 0.7};
  const Loss loss{.kind = LossKind::typed, .given = drawn({1, 3, 2}, 10)};
  const auto loss_of = [&](const LayerSpec& changed) {
    return Learning(changed, loss).at("loss").values()[0];
  };
  const auto check = [&](const char* id, double LayerSpec::*number) {
    CAPTURE(id);
    LayerSpec above = layer, below = layer;
    above.*number += 1e-5, below.*number -= 1e-5;
    const double quotient = (loss_of(above) - loss_of(below)) / 2e-5;
    CHECK(Learning(layer, loss).at(id).values()[0] == doctest::Approx(quotient).epsilon(1e-6));
  };
  check("d_temperature", &LayerSpec::temperature);
  check("d_soft_cap", &LayerSpec::soft_cap);
  check("d_qk_gain", &LayerSpec::qk_gain);
  LayerSpec above = layer, below = layer;
  above.scale.number += 1e-5, below.scale.number -= 1e-5;
  CHECK(Learning(layer, loss).at("d_scale").values()[0] ==
        doctest::Approx((loss_of(above) - loss_of(below)) / 2e-5).epsilon(1e-6));
  layer.scoring = Scoring::gaussian, layer.sigma = 1.3;
  check("d_sigma", &LayerSpec::sigma);
}

TEST_CASE("a gradient that is a thousandth off is found") {
  Learning learning(three_random_tokens(), {.kind = LossKind::typed, .given = drawn({1, 3, 2}, 11)});
  for (const char* id : {"d_q", "d_k", "d_v"}) {
    CAPTURE(id);
    Graph graph = learning.graph;
    const StageIndex wrong = graph.find(id).value();
    const StageIndex off = graph.add({.id = "off",
                                      .title = "off",
                                      .formula = "× 1.001",
                                      .operation = Scale{1.001, "1.001"},
                                      .inputs = {wrong}});
    Gradients gradients = learning.gradients;
    gradients.of[*graph.stages[wrong].gradient_of] = off;
    CentralDifferences differences(graph, gradients);
    const DifferenceCheck check = check_all(differences, graph);
    CHECK_FALSE(check.accepted());
    CHECK(check.worst->stage == *graph.stages[wrong].gradient_of);
    CHECK(check.worst->error == doctest::Approx(1e-3).epsilon(0.01));
  }
}

TEST_CASE("numbers at a bend are counted apart, and no others") {
  LayerSpec layer = three_random_tokens();
  layer.weighting = Weighting::relu;
  layer.q =
      Tensor({1, 3, 2}, {0, 0, 1, 0.5f, 1, 2});  // the scores of the first query are 0: where ReLU bends
  Learning learning(layer, {.kind = LossKind::typed, .given = drawn({1, 3, 2}, 12)});
  CentralDifferences differences(learning.graph, learning.gradients);
  const DifferenceCheck check = check_all(differences, learning.graph);
  CHECK(check.numbers == 18);
  CHECK(check.crossed == 2);  // that query's two numbers
  CHECK(check.accepted());
}
