#include "core/engine.h"

#include <doctest/doctest.h>

#include <atomic>

#include "core/error.h"
#include "core/reference/backend.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::unique_ptr<Backend> reference(std::vector<std::string>&) {
  return make_reference_backend();
}

Document document_of(float first) {
  Random random(31);
  Document document;
  document.layer.direct = true;
  document.layer.q = with_value(normal(random, {1, 6, 4}), {0, 0, 0}, first);
  document.layer.k = normal(random, {1, 6, 4});
  document.layer.v = normal(random, {1, 6, 4});
  return document;
}

// A backend that fails every operation, as a lost device would.
class Broken : public Backend {
 public:
  std::string name() const override { return "broken"; }
  Tensor run(const Operation&, Inputs) override { throw Error("the device went away", Fault::device); }
};

}  // namespace

TEST_CASE("500 rapid edits end on the last one") {
  Budget budget;
  std::atomic<int> published = 0;
  Engine engine(reference, budget, [&] { ++published; });
  for (int edit = 0; edit < 500; ++edit) engine.post(document_of(static_cast<float>(edit)));
  engine.wait_idle();
  const EngineState state = engine.state();
  REQUIRE(state.results);
  CHECK(state.results->document == document_of(499));
  CHECK(!state.busy);
  CHECK(state.error.empty());
  CHECK(published >= 2);  // the backend, and at least one result
}

TEST_CASE("a document that makes no sense leaves the last results and says why") {
  Budget budget;
  Engine engine(reference, budget);
  engine.post(document_of(1));
  engine.wait_idle();
  Document wrong = document_of(2);
  wrong.layer.k = Tensor({1, 2, 3}, std::vector<float>(6));
  engine.post(wrong);
  engine.wait_idle();
  const EngineState state = engine.state();
  CHECK(state.results->document == document_of(1));
  CHECK(state.error.find("give both the same width") != std::string::npos);
  engine.post(document_of(3));
  engine.wait_idle();
  CHECK(engine.state().error.empty());
  CHECK(engine.state().results->document == document_of(3));
}

TEST_CASE("a new backend computes the current document again") {
  Budget budget;
  Engine engine(reference, budget);
  engine.post(document_of(1));
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
  engine.post(document_of(1));
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
  engine.post(document_of(1));
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
    engine.post(document_of(static_cast<float>(i)));
  }
  CHECK(budget.held(Budget::memo) == 0);
}
