// The engine's promises: the newest document wins, stopping keeps the last results, failures are states and
// no crashes. Backends that wait for a signal or always fail stand in for slow and lost devices.
#include "core/engine/engine.h"

#include <doctest/doctest.h>

#include <atomic>
#include <semaphore>
#include <thread>

#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/layers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document six_tokens_of(float first) {
  Random random(31);
  Document document;
  document.layer().direct = true;
  document.layer().q = with_value(normal(random, {1, 6, 4}), {0, 0, 0}, first);
  document.layer().k = normal(random, {1, 6, 4});
  document.layer().v = normal(random, {1, 6, 4});
  return document;
}

// A backend that fails every operation, as a lost device would.
class Broken : public Backend {
 public:
  std::string name() const override { return "broken"; }
  Tensor run(const Operation&, Inputs, Numbers) override {
    throw Error("the device went away", Fault::device);
  }
};

// A reference whose every operation waits until it is let go.
class Held : public Backend {
 public:
  Held(std::counting_semaphore<>& go, std::atomic<int>& started) : go_(go), started_(started) {}
  std::string name() const override { return "held"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    ++started_;
    go_.acquire();
    return reference_->run(operation, inputs, wanted);
  }

 private:
  std::counting_semaphore<>& go_;
  std::atomic<int>& started_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

}  // namespace

TEST_CASE("a computation that is stopped leaves the last results and goes on from there when asked again") {
  constexpr int kFew = 2, kMany = 1000;
  Budget budget;
  std::counting_semaphore<> go(kMany);
  std::atomic<int> started = 0;
  Engine engine([&](std::vector<std::string>&) { return std::make_unique<Held>(go, started); }, budget);
  engine.post({six_tokens_of(1), &kLayerPlan});
  engine.wait_idle();
  const std::size_t all = engine.state().results->recomputed;
  while (go.try_acquire()) {
  }
  const Document before = engine.state().results->document, changed = six_tokens_of(2);
  started = 0;
  engine.post({changed, &kLayerPlan});
  go.release(kFew);
  while (started <= kFew) std::this_thread::yield();
  CHECK(engine.state().busy);
  CHECK_FALSE(engine.state().computing.empty());
  CHECK(engine.state().progress > 0);
  CHECK(engine.state().progress < 1);
  engine.stop();
  go.release();  // the stage that was running
  engine.wait_idle();
  CHECK(engine.state().stopped);
  CHECK(engine.state().error.find("stopped before") == 0);
  CHECK(engine.state().results->document == before);
  CHECK(engine.state().computing.empty());
  go.release(kMany);
  engine.post({changed, &kLayerPlan});
  engine.wait_idle();
  CHECK_FALSE(engine.state().stopped);
  CHECK(engine.state().error.empty());
  CHECK(engine.state().results->document == changed);
  CHECK(engine.state().results->recomputed == all - kFew - 1);
}

TEST_CASE("stopping while one document runs and a newer one waits stops both") {
  constexpr int kMany = 1000;
  Budget budget;
  std::counting_semaphore<> go(0);
  std::atomic<int> started = 0;
  Engine engine([&](std::vector<std::string>&) { return std::make_unique<Held>(go, started); }, budget);
  engine.post({six_tokens_of(1), &kLayerPlan});
  while (started == 0) std::this_thread::yield();
  engine.post({six_tokens_of(2), &kLayerPlan});
  engine.stop();
  go.release(kMany);
  engine.wait_idle();
  CHECK(engine.state().stopped);
  CHECK_FALSE(engine.state().results);
  CHECK(started == 1);
  engine.post({six_tokens_of(3), &kLayerPlan});  // the next edit is computed
  engine.wait_idle();
  CHECK_FALSE(engine.state().stopped);
  REQUIRE(engine.state().results);
  CHECK(engine.state().results->document == six_tokens_of(3));
}

TEST_CASE("stopping without anything to stop changes nothing") {
  Budget budget;
  Engine engine(reference, budget);
  engine.post({six_tokens_of(1), &kLayerPlan});
  engine.wait_idle();
  engine.stop();
  engine.post({six_tokens_of(2), &kLayerPlan});
  engine.wait_idle();
  CHECK(engine.state().results->document == six_tokens_of(2));
  CHECK_FALSE(engine.state().stopped);
}

TEST_CASE("500 rapid edits end on the last one") {
  Budget budget;
  std::atomic<int> published = 0;
  Engine engine(reference, budget, [&] { ++published; });
  for (int edit = 0; edit < 500; ++edit) engine.post({six_tokens_of(static_cast<float>(edit)), &kLayerPlan});
  engine.wait_idle();
  const EngineState state = engine.state();
  REQUIRE(state.results);
  CHECK(state.results->document == six_tokens_of(499));
  CHECK(!state.busy);
  CHECK(state.error.empty());
  CHECK(published >= 2);  // the backend, and at least one result
}

TEST_CASE("a document that makes no sense leaves the last results and says why") {
  Budget budget;
  Engine engine(reference, budget);
  engine.post({six_tokens_of(1), &kLayerPlan});
  engine.wait_idle();
  Document wrong = six_tokens_of(2);
  wrong.layer().k = Tensor({1, 2, 3}, std::vector<float>(6));
  engine.post({wrong, &kLayerPlan});
  engine.wait_idle();
  const EngineState state = engine.state();
  CHECK(state.results->document == six_tokens_of(1));
  CHECK(state.error.find("give both the same width") != std::string::npos);
  engine.post({six_tokens_of(3), &kLayerPlan});
  engine.wait_idle();
  CHECK(engine.state().error.empty());
  CHECK(engine.state().results->document == six_tokens_of(3));
}

TEST_CASE("a new backend computes the current document again") {
  Budget budget;
  Engine engine(reference, budget);
  engine.post({six_tokens_of(1), &kLayerPlan});
  engine.wait_idle();
  const auto first = engine.state().results;
  engine.use([](std::vector<std::string>& notes) {
    notes.push_back("chosen by hand");
    return make_reference_backend();
  });
  engine.wait_idle();
  const EngineState state = engine.state();
  CHECK(state.results != first);
  CHECK(state.results->document == first->document);
  CHECK(state.notes == std::vector<std::string>{"chosen by hand"});
}

TEST_CASE("a backend that cannot be made is replaced by the reference at the start and refused later") {
  Budget budget;
  const BackendFactory missing = [](std::vector<std::string>&) -> std::unique_ptr<Backend> {
    throw Error("there is no device 7", Fault::device);
  };
  Engine engine(missing, budget);
  engine.post({six_tokens_of(1), &kLayerPlan});
  engine.wait_idle();
  CHECK(engine.state().device == "reference");
  REQUIRE(engine.state().results);
  REQUIRE(!engine.state().notes.empty());
  CHECK(engine.state().notes[0].find("there is no device 7") != std::string::npos);
  engine.use(missing);
  engine.wait_idle();
  CHECK(engine.state().device == "reference");
}

TEST_CASE("a device that fails while computing is an error and not a crash") {
  Budget budget;
  Engine engine(
      [](std::vector<std::string>&) -> std::unique_ptr<Backend> { return std::make_unique<Broken>(); },
      budget);
  engine.post({six_tokens_of(1), &kLayerPlan});
  engine.wait_idle();
  CHECK(engine.state().error == "the device went away");
  engine.use(reference);
  engine.wait_idle();
  CHECK(engine.state().error.empty());
  CHECK(engine.state().results);
}

TEST_CASE("an engine that is destroyed with work waiting stops") {
  Budget budget;
  for (int i = 0; i < 50; ++i) {
    Engine engine(reference, budget);
    engine.post({six_tokens_of(static_cast<float>(i)), &kLayerPlan});
  }
  CHECK(budget.held(Budget::memo) == 0);
}
