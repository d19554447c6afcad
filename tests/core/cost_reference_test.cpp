// The counts of a layer against the reference itself, whose own code runs on numbers that count.
#include <doctest/doctest.h>

#include <map>

#include "core/cost/count.h"
#include "core/reference/backend.h"
#include "tests/core/counted.h"
#include "tests/random_layer.h"
// After what sets Eigen up.
#include "core/reference/elementwise.h"
#include "core/reference/heads.h"
#include "core/reference/linear_state.h"
#include "core/reference/mask.h"
#include "core/reference/matmul.h"
#include "core/reference/softmax.h"

using namespace attn;
using namespace attn::tests;

namespace {

using CountedTensor = BasicTensor<Counted>;

CountedTensor to_counted(const Tensor& tensor) {
  return {tensor.shape(), std::vector<Counted>(tensor.values().begin(), tensor.values().end())};
}

struct CountingRunner {
  std::span<const CountedTensor> inputs;

  CountedTensor operator()(const Source& op) const { return to_counted(op.tensor); }
  template <class Op>
  CountedTensor operator()(const Op& op) const {
    if constexpr (requires { reference::compute<Counted>(op, inputs); })
      return reference::compute<Counted>(op, std::span<const CountedTensor>(inputs));
    FAIL("a layer without extras has no such operation");
    return {};
  }
};

// A layer of self-attention and nothing else.
LayerSpec plain_layer(Random& random) {
  LayerSpec layer;
  layer.kv_heads = pick(random, 1, 3);
  layer.heads = layer.kv_heads * pick(random, 1, 3);
  const std::size_t n = pick(random, 1, 9), d_k = pick(random, 1, 5), d = layer.heads * d_k;
  layer.x = normal(random, {1, n, d});
  layer.w_q = normal(random, {1, d, d});
  layer.w_k = normal(random, {1, d, layer.kv_heads * d_k});
  layer.w_v = normal(random, {1, d, layer.kv_heads * d_k});
  layer.w_o = normal(random, {1, d, d});
  set_causal(layer, CausalAlign::lower_right);
  return layer;
}

CostSpec spec_of(const LayerSpec& layer) {
  CostSpec spec;
  spec.n = layer.x.rows(), spec.d = layer.x.columns();
  spec.heads = layer.heads, spec.kv_heads = layer.kv_heads;
  return spec;
}

// Where the steps of the graph stand in the list of stages; what is none of them computes nothing.
const std::map<std::string, CostStage> kPlaces{{"q", CostStage::q},
                                               {"k", CostStage::k},
                                               {"v", CostStage::v},
                                               {"scores", CostStage::scores},
                                               {"scaled", CostStage::scaled},
                                               {"masked", CostStage::masked},
                                               {"row_max", CostStage::weights},
                                               {"exp", CostStage::weights},
                                               {"row_sum", CostStage::weights},
                                               {"weights", CostStage::weights},
                                               {"head_output", CostStage::head_output},
                                               {"output", CostStage::output}};

// A sum of k products takes k multiply-adds, whose first addition, to nothing, is not carried out: it is
// counted with them. For each matrix it makes Eigen also multiplies the factors, 1 and 1, that its operands
// could have had: they are not the layer's.
Count of_product(Tally t, std::size_t sums, std::size_t matrices) {
  t.multiply -= matrices;
  CHECK(t.add + sums == t.multiply);
  CHECK(t.divide + t.function + t.compare == 0);
  return Count{2} * t.multiply;
}

Count counted(CostStage at, const Tally& t, const Operation& operation, const Shape& result) {
  if (std::holds_alternative<Project>(operation)) return of_product(t, result.size(), 1);
  if (std::holds_alternative<MatMul>(operation)) return of_product(t, result.size(), result.stack);
  CHECK((at > CostStage::scores && at < CostStage::head_output));
  return t.total();
}

void check_equal(Count found, Count expected) {
  CHECK(digits(found) == digits(expected));
}

}  // namespace

TEST_CASE("the reference does as many operations as are counted in every stage of random layers") {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    Document document;
    document.layer() = plain_layer(random);
    const LayerSpec& layer = document.layer();
    CAPTURE(layer.x.rows());
    CAPTURE(layer.x.columns());
    CAPTURE(layer.heads);
    CAPTURE(layer.kv_heads);
    const Graph graph = build_layer(document).graph;
    const std::vector<Tensor64> exact = evaluate_in_double(graph);
    const LayerCost cost = count_layer(spec_of(layer));
    std::vector<CountedTensor> outputs;
    std::map<CostStage, Count> found;
    for (const Stage& stage : graph.stages) {
      std::vector<CountedTensor> inputs;
      for (const StageIndex input : stage.inputs) inputs.push_back(outputs[input]);
      const Tally before = tally;
      outputs.push_back(std::visit(CountingRunner{inputs}, stage.operation));
      const Tally done = tally - before;
      const std::span<const double> expected = exact[outputs.size() - 1].values();
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK((std::abs(outputs.back().values()[i].value - expected[i]) <=
                   1e-12 * (1 + std::abs(expected[i])) ||
               outputs.back().values()[i].value == expected[i]));
      const auto place = kPlaces.find(stage.id);
      if (place == kPlaces.end())
        CHECK(done.total() == 0);
      else
        found[place->second] += counted(place->second, done, stage.operation, outputs.back().shape());
    }
    REQUIRE(found.size() == kCostStages - 1);
    for (const auto& [stage, operations] : found) {
      CAPTURE(cost[stage].name);
      check_equal(operations, cost[stage].operations.value());
    }
  }
}

TEST_CASE(
    "the softmax takes five operations a weight: the larger and the difference and exp and the sum and the "
    "division") {
  Random random(6);
  const CountedTensor scores = to_counted(normal(random, {2, 3, 4}));
  const auto run = [](const auto& op, std::vector<CountedTensor> inputs) {
    const Tally before = tally;
    const CountedTensor result = reference::compute<Counted>(op, std::span<const CountedTensor>(inputs));
    return std::pair{result, tally - before};
  };
  constexpr std::uint64_t kWeights = 2 * 3 * 4;
  const auto [maximum, larger] = run(RowMaximum{}, {scores});
  CHECK((larger.compare == kWeights && larger.total() == kWeights));
  const auto [exponentials, exponential] = run(Exponential{}, {scores, maximum});
  CHECK((exponential.add == kWeights && exponential.function == kWeights &&
         exponential.total() == 2 * kWeights));
  const auto [sum, added] = run(RowSum{}, {exponentials});
  CHECK((added.add == kWeights && added.total() == kWeights));
  const auto [weights, divided] = run(Normalize{}, {exponentials, sum});
  CHECK((divided.divide == kWeights && divided.total() == kWeights));
}

TEST_CASE("the products of a feed-forward take what is counted for it") {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    CostSpec spec;
    spec.heads = spec.kv_heads = 1;
    spec.n = pick(random, 1, 6), spec.d = pick(random, 1, 7);
    spec.feed_forward = coin(random) ? 0 : pick(random, 1, 20), spec.gated = coin(random);
    const std::size_t f = spec.inner_width();
    const auto multiply = [&](std::size_t rows, std::size_t inner, std::size_t columns) {
      const std::vector<CountedTensor> inputs{to_counted(normal(random, {1, rows, inner})),
                                              to_counted(normal(random, {1, inner, columns}))};
      const Tally before = tally;
      reference::compute<Counted>(Project{1}, std::span<const CountedTensor>(inputs));
      return of_product(tally - before, rows * columns, 1);
    };
    Count operations = multiply(spec.n, spec.d, f) + multiply(spec.n, f, spec.d);
    if (spec.gated) operations += multiply(spec.n, spec.d, f);
    check_equal(operations, count_layer(spec)[CostStage::feed_forward].operations.value());
  }
}

TEST_CASE("linear attention by its state takes what is counted for it") {
  Random random(8);
  for (int round = 0; round < 20; ++round) {
    const std::size_t shared = pick(random, 1, 3), heads = shared * pick(random, 1, 3);
    const std::size_t n = pick(random, 1, 6), m = pick(random, 1, 6), r = pick(random, 1, 5),
                      c = pick(random, 1, 5);
    const std::vector<Shape> shapes{{heads, n, r}, {shared, m, r}, {shared, m, c}};
    const std::vector<CountedTensor> inputs{to_counted(normal(random, shapes[1])),
                                            to_counted(normal(random, shapes[2]))};
    Tally before = tally;
    const CountedTensor state =
        reference::compute<Counted>(LinearState{m}, std::span<const CountedTensor>(inputs));
    const Tally of_state = tally - before;
    const std::vector<Shape> of_keys{shapes[1], shapes[2]};
    CHECK(traits(LinearState{m}, of_keys, state.shape()).counted == static_cast<double>(of_state.total()));
    // The features of the queries meet the state; each output is divided by the last column.
    const std::vector<CountedTensor> factors{to_counted(normal(random, shapes[0])), state};
    before = tally;
    const CountedTensor both = reference::compute<Counted>(MatMul{}, std::span<const CountedTensor>(factors));
    const Count met = of_product(tally - before, both.shape().size(), both.shape().stack);
    check_equal(
        met + Count{heads * n * c} + Count{of_state.total()},
        Count{static_cast<std::uint64_t>(traits(LinearAttention{}, shapes, both.shape()).counted.value())});
  }
}
