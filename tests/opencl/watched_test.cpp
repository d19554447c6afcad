// A device that is wrong at work, and what becomes of it: rows of every result are compared, whoever asks for
// them.
#include "core/opencl/watched.h"

#include <doctest/doctest.h>

#include "core/attention/layer.h"
#include "core/checks/comparison.h"
#include "core/document/plan.h"
#include "core/engine/engine.h"
#include "core/evaluate/evaluator.h"
#include "core/opencl/backend.h"
#include "core/opencl/context.h"
#include "core/opencl/watch.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/opencl/emptied.h"
#include "tests/opencl/opened.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::opencl;
using namespace attn::tests;

namespace {

constexpr int kNever = 1000;

Document document_of(std::size_t tokens) {
  Random random(73);
  Document document;
  document.layer().direct = true;
  document.layer().q = normal(random, {2, tokens, 8});
  document.layer().k = normal(random, {2, tokens, 8});
  document.layer().v = normal(random, {2, tokens, 8});
  return document;
}

Results evaluate(Backend& backend, const Document& document) {
  Budget budget;
  Evaluator evaluator(backend, budget);
  return evaluator.evaluate(document, build_graph(document.layer()));
}

// Behind its results a product whose numbers are summed up: of its last row nobody else sees anything.
constexpr Plan kPlan{
    .name = "test",
    .build = [](const Document& document, Address) -> Built { return build_graph(document.layer()); },
    .given = [](const Document&) { return Graph(); },
    .deferred =
        [](const Document& document, const Places&) {
          return std::vector<DeferredGraph>{
              {"a sum", [layer = document.layer()] {
                 Graph graph;
                 const StageIndex q = graph.add(Stage{"q", "", "", "", Source{layer.q}});
                 const StageIndex k = graph.add(Stage{"k", "", "", "", Source{layer.k}});
                 const StageIndex product = graph.add(Stage{"product", "", "", "", MatMul{true}, {q, k}});
                 graph.add(Stage{"sum", "", "", "", RowSum{}, {product}});
                 return graph;
               }}};
        }};

// What the engine shows of it in the end.
EngineState shown(int damaged, const Document& document, WhenWrong when = WhenWrong::reference) {
  Budget budget;
  Engine engine([&](std::vector<std::string>&) { return watched(std::make_unique<Emptied>(damaged), when); },
                budget);
  engine.post({document, &kPlan});
  engine.wait_idle();
  return engine.state();
}

// Of a product's rows one half is wrong.
class HalfWrong : public Backend {
 public:
  explicit HalfWrong(std::size_t half) : half_(half) {}
  std::string name() const override { return "half wrong"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    const Tensor right = reference_->run(operation, inputs);
    std::vector<float> values(right.values().begin(), right.values().end());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i % right.columns() * 2 / right.columns() == half_) values[i] += 1;
    return {right.shape(), std::move(values)};
  }

 private:
  std::size_t half_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

}  // namespace

TEST_CASE("of products whose rows are dear a part of one is compared that lies elsewhere each time") {
  constexpr int kSoon = 12;
  Random random(74);
  const std::vector<Tensor> inputs{normal(random, {1, 2, 2000}), normal(random, {1, 2000, 1000})};
  for (const std::size_t half : {0u, 1u}) {
    const auto device = watched(std::make_unique<HalfWrong>(half), WhenWrong::reference);
    for (int time = 0; time < kSoon && device->name() != kReference; ++time) device->run(MatMul(), inputs);
    CHECK(device->failure().starts_with(
        "computing on the reference instead: half wrong computes wrong numbers: matmul["));
  }
  const auto sound = watched(std::make_unique<Emptied>(kNever), WhenWrong::refuse);
  for (int time = 0; time < kSoon; ++time) CHECK_NOTHROW(sound->run(MatMul(), inputs));
}

TEST_CASE("what a device computes rightly passes the watch unchanged") {
  const Document document = document_of(40);
  const auto device = watched(std::make_unique<Emptied>(kNever), WhenWrong::refuse);
  const auto reference = make_reference_backend();
  const Results ours = evaluate(*device, document), theirs = evaluate(*reference, document);
  CHECK(ours.device == "emptied");
  CHECK(device->failure().empty());
  for (StageIndex i = 0; i < ours.outputs.size(); ++i)
    CHECK(ours.outputs[i].whole() == theirs.outputs[i].whole());
}

TEST_CASE("an empty row of a result is refused however it was asked for and from then on") {
  for (const std::size_t tokens : {5u, 600u}) {  // read back together, or one by one
    const Document document = document_of(tokens);
    const auto device = watched(std::make_unique<Emptied>(1), WhenWrong::refuse);
    for (int time = 0; time < 2; ++time) {
      std::string text;
      try {
        evaluate(*device, document);
      } catch (const Error& error) {
        CHECK(error.fault() == Fault::device);
        text = error.what();
      }
      CHECK(text.starts_with("emptied computes wrong numbers: matmul[1, " + std::to_string(tokens - 1)));
    }
    CHECK(device->name() == "emptied");
  }
}

TEST_CASE("the reference computes in the place of a device that was wrong and says why") {
  for (const std::size_t tokens : {5u, 600u}) {
    const Document document = document_of(tokens);
    const auto device = watched(std::make_unique<Emptied>(2), WhenWrong::reference);
    const auto reference = make_reference_backend();
    const Results ours = evaluate(*device, document), theirs = evaluate(*reference, document);
    CHECK(device->name() == kReference);
    CHECK(device->failure().starts_with(
        "computing on the reference instead: emptied computes wrong numbers: matmul["));
    CHECK(ours.device == "emptied");  // the engine asks for all of it again
    for (StageIndex i = 0; i < ours.outputs.size(); ++i)
      CHECK(ours.outputs[i].whole() == theirs.outputs[i].whole());
  }
}

TEST_CASE("a real device passes the watch in both ways that results come") {
  const cl::Device found = test_devices().at(0);
  for (const std::size_t tokens : {5u, 300u}) {
    Budget budget;
    const auto device = watched(make_backend(found, best_variant(found), budget), WhenWrong::refuse);
    CHECK_NOTHROW(evaluate(*device, document_of(tokens)));
  }
}

TEST_CASE("a device that was wrong is no longer used by the engine and its results are all the reference's") {
  const Document document = document_of(20);
  const EngineState sound = shown(kNever, document);
  CHECK(sound.device == "emptied");
  CHECK(sound.device_error.empty());
  for (const int damaged : {1, 2, 3}) {  // scores, output, and what is computed behind the results
    const EngineState state = shown(damaged, document);
    REQUIRE(state.results);
    CHECK(state.device == kReference);
    CHECK(state.results->device == kReference);
    CHECK(
        state.device_error.starts_with("computing on the reference instead: emptied computes wrong numbers"));
    CHECK(state.error.empty());
    for (StageIndex i = 0; i < state.results->outputs.size(); ++i)
      CHECK(state.results->outputs[i].whole() == sound.results->outputs[i].whole());
    REQUIRE(state.deferred);
    CHECK(state.deferred->outputs.at(0) == sound.deferred->outputs.at(0));
  }
}

TEST_CASE(
    "what a device that is refused computed wrong behind the results is told as a fault of the device") {
  const EngineState state = shown(3, document_of(20), WhenWrong::refuse);
  REQUIRE(state.deferred);
  CHECK(state.deferred->fault == Fault::device);
  CHECK(state.deferred->error.starts_with("emptied computes wrong numbers: matmul["));
  CHECK(state.results->device == "emptied");
  CHECK_FALSE(shown(kNever, document_of(20), WhenWrong::refuse).deferred->fault);
}

TEST_CASE("rows that are compared are spread over all with both ends among them") {
  CHECK(spread_rows(3, 8, 1) == std::vector<std::size_t>{0, 1, 2});
  CHECK(spread_rows(1000, 1, 1) != spread_rows(1000, 1, 2));  // one row is not the last one each time
  const auto some = spread_rows(1000, 4, 1), others = spread_rows(1000, 4, 2);
  CHECK(some.size() == 4);
  for (const auto& rows : {some, others}) {
    CHECK(rows.front() == 0);
    CHECK(rows.back() == 999);
    CHECK(std::ranges::is_sorted(rows));
  }
  CHECK(some != others);
}

TEST_CASE("long projections in float are accepted where their terms cancel") {
  Random random(91);
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = normal(random, {1, 48, 512});
  for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = normal(random, {1, 512, 64});
  const cl::Device found = test_devices().at(0);
  Budget budget;
  const auto device = make_backend(found, best_variant(found), budget);
  const Results results = evaluate(*device, document);
  const auto right = compare_with_reference(results);
  REQUIRE(right);
  CHECK(right->reason == "");
  CHECK(right->largest >
        0);  // sums of 512 terms of 1 and more: some are off by a few units of the last place
  CHECK(right->excess <= 1);
}
