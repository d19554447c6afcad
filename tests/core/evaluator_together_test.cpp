// Small stages together: asked for without waiting, read back in their order, one by one where that fails.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "core/document/layer_plan.h"
#include "core/evaluate/evaluator.h"
#include "core/positions/graph.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/layers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

LayerSpec direct_layer_of(std::size_t n) {
  Random random(22);
  LayerSpec layer;
  layer.direct = true;
  layer.q = normal(random, {1, n, 4});
  layer.k = normal(random, {1, n, 4});
  layer.v = normal(random, {1, n, 4});
  set_causal(layer, CausalAlign::lower_right);
  return layer;
}

// The reference, whose results stay with it until they are read.
class Leaving : public Backend {
 public:
  std::string name() const override { return "leaving"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    std::vector<Tensor> here;
    for (const Tensor& input : inputs) here.push_back(input.held() ? left_.at(input.id()) : input);
    const Tensor result = reference_->run(operation, here);
    if (wanted != Numbers::later) {
      largest_here = std::max(largest_here, result.values().size());
      return result;
    }
    least_unread_between = std::min(least_unread_between, least_unread);
    const Tensor left = Tensor::on_device(result.shape(), std::make_shared<int>());
    left_[left.id()] = result;
    most_unread = std::max(most_unread, ++unread_);
    most_bytes_unread = std::max(most_bytes_unread, bytes_unread_ += result.bytes());
    return left;
  }
  TimedTensor read(const Tensor& tensor) override {
    if (!tensor.held()) return {tensor};
    if (!finished_at_first_read) finished_at_first_read = finished;
    if (fails) throw Error("the device went away", Fault::device);
    least_unread = std::min(least_unread, --unread_);
    bytes_unread_ -= left_.at(tensor.id()).bytes();
    const auto values = left_.at(tensor.id()).values();
    return {tensor.brought_here({values.begin(), values.end()}), 2};
  }
  void finish() override { ++finished; }

  bool fails = false;
  std::size_t finished = 0, most_unread = 0, most_bytes_unread = 0, largest_here = 0;
  std::optional<std::size_t> finished_at_first_read;
  // The fewest that waited to be read, and the fewest while more were yet to come.
  std::size_t least_unread = 1000, least_unread_between = 1000;

 private:
  std::map<TensorId, Tensor> left_;
  std::size_t unread_ = 0, bytes_unread_ = 0;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

struct LeavingMachine {
  Budget budget;
  Leaving backend;
  Evaluator evaluator{backend, budget};
  Results run(const LayerSpec& layer, const Progress& progress = {}) {
    return evaluator.evaluate({{layer}}, build_graph(layer), {}, progress);
  }
};

void check_right(const Results& results, const LayerSpec& layer) {
  Budget budget;
  const auto reference = make_reference_backend();
  const Results right = Evaluator(*reference, budget).evaluate({{layer}}, build_graph(layer));
  REQUIRE(results.outputs.size() == right.outputs.size());
  for (StageIndex i = 0; i < right.outputs.size(); ++i)
    CHECK(results.outputs[i].whole() == right.outputs[i].whole());
}

}  // namespace

TEST_CASE("small stages are asked for together before the first is read back") {
  LeavingMachine machine;
  const LayerSpec layer = direct_layer_of(6);
  const Results results = machine.run(layer);
  check_right(results, layer);
  CHECK(machine.backend.finished == 1);
  CHECK(machine.backend.finished_at_first_read == 0);
  CHECK(machine.backend.most_unread == results.recomputed);
  for (StageIndex i = 0; i < results.outputs.size(); ++i)
    CHECK((results.seconds_of[i] >= 2) == !results.graph.stages[i].given());
  CHECK(machine.run(layer).recomputed == 0);
  CHECK(machine.backend.most_unread == results.recomputed);
}

TEST_CASE("as many stages as are asked for together are few and large ones are waited for alone") {
  LeavingMachine machine;
  const Document document;
  const Graph graph = kPositionsPlan.build(document, kLayerA).graph;
  machine.evaluator.evaluate(document, graph);
  CHECK(graph.stages.size() > 200);
  CHECK(machine.backend.most_unread <= 64);
  CHECK(machine.backend.least_unread_between > 0);  // the device had work while results were read
  CHECK(machine.backend.largest_here == 0);
  const LayerSpec large = direct_layer_of(740);
  check_right(machine.run(large), large);
  CHECK(machine.backend.largest_here == 740 * 740);
}

TEST_CASE("a few tokens by large weights are no large stage") {
  LeavingMachine machine;
  Random random(23);
  LayerSpec layer;
  layer.x = normal(random, {1, 3, 600});
  for (Tensor* weights : {&layer.w_q, &layer.w_k, &layer.w_v, &layer.w_o})
    *weights = normal(random, {1, 600, 600});
  const Results results = machine.run(layer);
  check_right(results, layer);
  CHECK(machine.backend.largest_here == 0);
  CHECK(machine.backend.most_unread == results.recomputed);
}

TEST_CASE("results that wait to be read are no more than 64 MiB and the last of them") {
  constexpr std::size_t kSide = 700, kLimit = std::size_t{64} << 20;
  Random random(24);
  Graph graph;
  StageIndex last = graph.add(Stage{"x", "", "", "", Source{normal(random, {1, kSide, kSide})}});
  for (int i = 0; i < 40; ++i)
    last = graph.add(Stage{"s" + std::to_string(i), "", "", "", Scale{0.5, {}}, {last}});
  LeavingMachine machine;
  machine.evaluator.evaluate(Document(), graph);
  CHECK(machine.backend.largest_here == 0);
  CHECK(machine.backend.most_bytes_unread > kLimit / 2);
  CHECK(machine.backend.most_bytes_unread <= kLimit + kSide * kSide * sizeof(float));
}

TEST_CASE("a device that fails when results are read is asked for them one by one") {
  LeavingMachine machine;
  machine.backend.fails = true;
  const LayerSpec layer = direct_layer_of(6);
  const Results results = machine.run(layer);
  check_right(results, layer);
  CHECK(machine.backend.largest_here > 0);
  CHECK(results.recomputed > 5);
}

TEST_CASE("an evaluation that is stopped remembers what it has asked for") {
  LeavingMachine machine;
  const LayerSpec layer = direct_layer_of(6);
  int stages = 0;
  CHECK_THROWS_AS(machine.run(layer, [&](const Stage&, double) { return ++stages < 5; }), Error);
  const std::size_t asked = machine.backend.most_unread;
  CHECK(asked == 4);
  const Results results = machine.run(layer);
  check_right(results, layer);
  CHECK(results.recomputed == LeavingMachine().run(layer).recomputed - asked);
}
