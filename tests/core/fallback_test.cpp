// A device that fails at work, and the reference in its place. Backends that fail at their nth operation
// stand in for lost and exhausted devices.
#include <algorithm>
#include <atomic>

#include "core/evaluate/fallback.h"

#include <doctest/doctest.h>

#include "core/engine/engine.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/core/edit_documents.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Twice the reference's numbers, so that it shows who computed; fails from an operation on.
class Failing : public Backend {
 public:
  explicit Failing(int operations, Fault fault = Fault::device) : left_(operations), fault_(fault) {}
  ~Failing() override { ++gone; }
  std::string name() const override { return "failing"; }
  bool copies_here() const override { return true; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    if (std::holds_alternative<Source>(operation)) return reference_->run(operation, inputs);
    if (left_-- <= 0) throw Error("failing failed in " + std::string(attn::name(operation)), fault_);
    const Tensor right = reference_->run(operation, inputs);
    if (wanted == Numbers::there) return Tensor::on_device(right.shape(), std::make_shared<int>(1));
    std::vector<float> values(right.values().begin(), right.values().end());
    for (float& v : values) v *= 2;
    return {right.shape(), std::move(values)};
  }

  static inline int gone = 0;

 private:
  int left_;
  Fault fault_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

const Operation kTwice = Scale{.factor = 2, .text = {}};

float first(const Tensor& tensor) {
  return tensor[{0, 0, 0}];
}

}  // namespace

TEST_CASE("the reference goes on where the device fails and says so") {
  Failing::gone = 0;
  const auto backend = with_fallback(std::make_unique<Failing>(1));
  const Tensor one({1, 1, 1}, {1});
  CHECK(first(backend->run(kTwice, std::vector{one})) == 4);
  CHECK(backend->name() == "failing");
  CHECK(backend->failure().empty());
  CHECK(backend->copies_here());
  CHECK(first(backend->run(kTwice, std::vector{one})) == 2);
  CHECK(backend->name() == kReference);
  CHECK(backend->failure() == "computing on the reference instead: failing failed in scale");
  CHECK_FALSE(backend->copies_here());
  CHECK(Failing::gone == 1);  // its memory with it
  CHECK(first(backend->run(kTwice, std::vector{one}, Numbers::there)) == 2);
  backend->finish();
  backend->forget(one);
  CHECK(backend->held_bytes() == 0);
}

TEST_CASE("only the failures of a device are mended") {
  const auto backend = with_fallback(std::make_unique<Failing>(0, Fault::input));
  const Tensor one({1, 1, 1}, {1});
  CHECK_THROWS_AS(backend->run(kTwice, std::vector{one}), Error);
  CHECK(backend->name() == "failing");
}

TEST_CASE("what only the device had is lost with it") {
  const auto backend = with_fallback(std::make_unique<Failing>(1));
  const Tensor there = backend->run(kTwice, std::vector{Tensor({1, 1, 1}, {1})}, Numbers::there);
  CHECK_THROWS_AS(backend->run(kTwice, std::vector{there}), Error);
}

TEST_CASE("the window shows what the reference alone computed after a device failed at work") {
  Budget budget;
  Engine engine([](std::vector<std::string>&) { return with_fallback(std::make_unique<Failing>(3)); },
                budget);
  engine.post({direct_document(3, 4), &kLayerPlan});
  engine.wait_idle();
  const EngineState state = engine.state();
  REQUIRE(state.results);
  CHECK(state.device == kReference);
  CHECK(state.results->device == kReference);
  CHECK(state.error.empty());
  CHECK(state.device_error.find("computing on the reference instead: failing failed") == 0);
  CHECK(std::ranges::count(state.notes, state.device_error) == 1);
  const Results right = evaluated(direct_document(3, 4));
  for (StageIndex i = 0; i < right.outputs.size(); ++i)
    CHECK(state.results->outputs[i].whole() == right.outputs[i].whole());
}

TEST_CASE(
    "numbers of two devices are never shown and nothing seems done before the second has computed all") {
  Budget budget;
  std::atomic<Engine*> watched = nullptr;
  std::vector<std::string> devices;  // the worker's until the engine is idle
  int idle = 0;
  Engine engine([](std::vector<std::string>&) { return with_fallback(std::make_unique<Failing>(3)); }, budget,
                [&] {
                  if (watched == nullptr) return;
                  const EngineState state = watched.load()->state();
                  if (state.results) devices.push_back(state.results->device);
                  if (!state.busy && !state.results) ++idle;
                });
  engine.wait_idle();
  watched = &engine;
  engine.post({direct_document(3, 4), &kLayerPlan});
  engine.wait_idle();
  watched = nullptr;
  CHECK(idle == 0);
  REQUIRE_FALSE(devices.empty());
  CHECK(std::ranges::count(devices, std::string(kReference)) == std::ssize(devices));
}
