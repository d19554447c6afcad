// The precision of a layer: which numbers are rounded, what is looked through, what a typed number does, and
// what overflows.
#include <doctest/doctest.h>

#include <cmath>

#include "core/checks/checks_sums.h"
#include "core/checks/comparison.h"
#include "core/checks/overflow.h"
#include "core/document/layer_plan.h"
#include "core/graph/rounding.h"
#include "core/graph/softmax_stages.h"
#include "tests/core/checked.h"
#include "tests/graphs.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::array kFormats{NumberFormat::float16, NumberFormat::bfloat16};

// Two queries, two keys: the scores are q times k.
LayerSpec products(float q, float k, NumberFormat format) {
  LayerSpec layer;
  layer.direct = true;
  layer.q = Tensor({1, 2, 1}, {1, q});
  layer.k = Tensor({1, 2, 1}, {k, 1});
  layer.v = Tensor({1, 2, 1}, {1, 2});
  layer.scale.mode = ScaleMode::none;
  layer.precision = format;
  return layer;
}

std::optional<Overflow> first_of(const Results& results) {
  for (const StageFaults& faults : check(results).faults)
    if (auto overflow = overflow_at(results, faults.stage, faults.first)) return overflow;
  return std::nullopt;
}

// The reference, but for one rounded number that it moves by so many steps of the format.
class Moved : public Backend {
 public:
  explicit Moved(double steps) : steps_(steps) {}
  std::string name() const override { return "moved"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    const Tensor right = reference_->run(operation, inputs);
    const auto* round = std::get_if<Round>(&operation);
    if (!round || done_++ > 0) return right;
    const double x = right[{}];
    return with_value(right, {}, static_cast<float>(x + steps_ * spacing_at(round->format, x)));
  }

 private:
  double steps_;
  std::size_t done_ = 0;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

std::optional<Comparison> compared(double steps, NumberFormat format) {
  Random random(5);
  Document document;
  document.layer() = random_direct(random);
  document.layer().precision = format;
  Moved backend(steps);
  Budget budget;
  Evaluator evaluator(backend, budget);
  return compare_with_reference(evaluator.evaluate(document, build_layer(document)));
}

}  // namespace

TEST_CASE("every number of a rounded layer is one of its format") {
  Random random(41);
  for (int i = 0; i < 120; ++i) {
    LayerSpec layer = random_scored_layer(random);
    layer.precision = kFormats[pick(random, 0, 1)];
    const Results results = evaluate(layer);
    for (StageIndex s = 0; s < results.outputs.size(); ++s) {
      const Stage& stage = results.graph.stages[s];
      if (!stage.traced || stage.id == "keys_left") continue;
      INFO(stage.id, " of layer ", i);
      for (const float x : results.outputs[s].whole().values()) {
        const double number = x;
        CHECK((std::isnan(number) || rounded(layer.precision, number) == number));
      }
    }
  }
}

TEST_CASE("a rounded layer has the traced stages of the layer and at float32 none is rounded") {
  Random random(42);
  const auto traced = [](const Graph& graph) {
    std::vector<std::string> ids;
    for (const Stage& stage : graph.stages)
      if (stage.traced) ids.push_back(stage.id + " " + to_string(stage.shape) + " " + stage.formula);
    return ids;
  };
  for (int i = 0; i < 60; ++i) {
    LayerSpec layer = random_scored_layer(random);
    const Graph plain = build_graph(layer);
    layer.precision = kFormats[pick(random, 0, 1)];
    CHECK(traced(build_graph(layer)) == traced(plain));
    for (const Stage& stage : plain.stages) CHECK_FALSE(std::holds_alternative<Round>(stage.operation));
  }
}

TEST_CASE("a rounded softmax is found and its steps are the rounded ones") {
  LayerSpec layer = three_tokens();
  layer.precision = NumberFormat::float16;
  const Graph graph = build_graph(layer);
  const auto softmax = softmax_at(graph, *graph.find(Role::weights));
  REQUIRE(softmax);
  CHECK(graph.stages[softmax->exponentials].id == "exp");
  CHECK(graph.stages[softmax->sum].id == "row_sum");
  CHECK(graph.stages[softmax->input].id == "scaled");
}

TEST_CASE("a number typed over a rounded one stays as it was typed and the next stage rounds") {
  LayerSpec layer = three_tokens();
  layer.precision = NumberFormat::float16;
  const Results results = evaluate(layer, {typed("scores", {0, 0, 0}, 0.1f)});
  CHECK(results.output("scores")[{0, 0, 0}] == 0.1f);
  CHECK(results.output("scaled")[{0, 0, 0}] == static_cast<float>(rounded(NumberFormat::float16, 0.1f / 2)));
  CHECK(results.graph.stages[*results.graph.find("scores")].computed_from);
}

TEST_CASE("the first overflow is named with its stage and cell and number") {
  const Results half = evaluate(products(300, 250, NumberFormat::float16));
  const auto overflow = first_of(half);
  REQUIRE(overflow);
  CHECK(words_of(half.graph, *overflow) == "float16 overflows in scores: 75000 > 65504 at query 1, key 0");
  CHECK(short_words(half.graph, *overflow) == "scores: 75000 > 65504");
  CHECK_FALSE(first_of(evaluate(products(300, 250, NumberFormat::bfloat16))));
  CHECK_FALSE(first_of(evaluate(products(300, 250, NumberFormat::float32))));
  const Results given = evaluate(products(70000, 1, NumberFormat::float16));
  CHECK(short_words(given.graph, *first_of(given)) == "Q: 70000 > 65504");
}

TEST_CASE("a fill that float16 cannot hold becomes minus infinity and is named") {
  LayerSpec layer = products(1, 1, NumberFormat::float16);
  set_causal(layer, CausalAlign::lower_right);
  layer.fill = Fill::minus_1e9;
  const Results results = evaluate(layer);
  CHECK(results.output("masked")[{0, 0, 1}] == -kFloatInfinity);
  CHECK(short_words(results.graph, *first_of(results)) == "masked: −1e+09 < −65504");
  layer.fill = Fill::minus_65504;
  CHECK(evaluate(layer).output("masked")[{0, 0, 1}] == -65504);
  CHECK_FALSE(first_of(evaluate(layer)));
  layer.fill = Fill::negative_infinity;
  CHECK_FALSE(first_of(evaluate(layer)));
}

TEST_CASE("rows of rounded weights add up as near as the format comes and no nearer") {
  Random random(43);
  double beyond = 0;
  for (int i = 0; i < 200; ++i) {
    LayerSpec layer = random_scored_layer(random);
    layer.dropout = 0;
    layer.empty_row = EmptyRow::zeros;
    layer.mask_at = MaskAt::before, layer.softmax_over = SoftmaxOver::keys;  // else rows need not add up
    layer.precision = kFormats[pick(random, 0, 1)];
    const Results results = evaluate(layer);
    const Checks checks = check(results);
    INFO("layer ", i);
    for (const SoftmaxChecks& softmax : checks.softmaxes) CHECK(softmax.row_sums.holds());
    if (checks.softmaxes.empty() || checks.softmaxes[0].row_sums.promised != RowTotal::one) continue;
    beyond = std::max(beyond, std::abs(row_sum(results, checks.softmaxes[0].weights, 0, 0) - 1));
  }
  CHECK(beyond > 1e-4);  // that float32 would be refused for
  LayerSpec layer = three_tokens();
  layer.precision = NumberFormat::float16;
  // 2u/(1 − u) + 3·2^-25 with u = 2^-11.
  CHECK(rounding_of_sums(build_graph(layer), *build_graph(layer).find("weights")) ==
        doctest::Approx(2 * 0x1p-11 / (1 - 0x1p-11) + 3 * 0x1p-25).epsilon(1e-12));
  const float weight = evaluate(layer).output("weights")[{0, 0, 0}];
  CHECK_FALSE(only(check(evaluate(layer, {typed("weights", {0, 0, 0}, weight + 0.002f)}))).row_sums.holds());
}

TEST_CASE("a device may round to the other neighbour and the stages behind are held to its choice") {
  for (const NumberFormat format : kFormats) {
    const auto one = compared(1, format);
    REQUIRE(one);
    CHECK(one->largest > 0);
    CHECK(one->accepted());
    CHECK_FALSE(compared(2, format)->accepted());
  }
}

TEST_CASE("a layer behind another takes its input rounded") {
  Document document;
  Random random(44);
  document.layer() = random_projected(random);
  document.layer().memory = {};
  document.layer().w_o =
      normal(random, {1, document.layer().w_v.columns() / document.layer().kv_heads * document.layer().heads,
                      document.layer().x.columns()});
  document.layer().b_o = {};
  document.layer().precision = NumberFormat::bfloat16;
  const Graph graph = build_one_after_other(document).graph;
  const Stage& query = graph.stages[computing(graph, *graph.find("b.q"))];
  CHECK(rounding_of(graph, query.inputs[0]) == NumberFormat::bfloat16);
}

TEST_CASE("a rounded number is explained by the number it was rounded from") {
  LayerSpec layer = products(1, 0.1f, NumberFormat::float16);
  const Results results = evaluate(layer);
  const Explanation e = explain(results, *results.graph.find("k"), {0, 0, 0});
  REQUIRE(e.formula.size() == 1);
  CHECK(e.formula[0].words == "rounded to float16 from 0.1");
  CHECK(e.result == rounded(NumberFormat::float16, 0.1f));
}
