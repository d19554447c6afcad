// Jobs besides the evaluation: what the engine runs for others, and whose results it gives.
#include <doctest/doctest.h>

#include <atomic>
#include <semaphore>
#include <thread>

#include "core/engine/engine.h"
#include "core/evaluate/run.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/core/edit_documents.h"
#include "tests/graphs.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("results carry the plan and the document that they were asked for") {
  Budget budget;
  Engine engine(tests::reference, budget);
  const Document document = projected_document();
  engine.post({document, &kSideBySide});
  engine.wait_idle();
  REQUIRE(engine.state().results);
  CHECK(engine.state().results->plan == &kSideBySide);
  CHECK(engine.state().checks->softmaxes.size() == 2);
  engine.post({document, &kLayerPlan});
  engine.wait_idle();
  CHECK(engine.state().results->plan == &kLayerPlan);
  CHECK(engine.state().results->recomputed == 0);  // the layer is a part of what was computed
  CHECK(engine.state().checks->softmaxes.size() == 1);
}

TEST_CASE("only the stages that a request names are computed") {
  Budget budget;
  Engine engine(tests::reference, budget);
  engine.post({projected_document(), &kSideBySide, {"b.scores"}});
  engine.wait_idle();
  const auto results = engine.state().results;
  REQUIRE(results);
  CHECK(results->result("b.scores").here());
  CHECK(results->result("a.scores").kept() == Kept::not_kept);
  CHECK(results->result("b.weights").kept() == Kept::not_kept);
}

TEST_CASE("a job runs on the backend in use while nothing is computed, and yields to an edit") {
  Budget budget;
  std::binary_semaphore working(0);
  std::atomic<int> begun = 0;
  std::atomic<bool> ended = false;
  Engine engine(tests::reference, budget);
  engine.post({projected_document(), &kLayerPlan});
  engine.wait_idle();
  engine.run({.name = "benchmark", .yields = true, .run = {}}, [&](JobControl& control, Backend& backend) {
    CHECK(backend.name() == "reference");
    if (++begun == 1) {
      control.progress("measuring", 0.5);
      working.release();
      while (!control.give_up()) std::this_thread::yield();
      return false;
    }
    std::size_t stages = 0;
    const Graph graph = build_layer(projected_document()).graph;
    run_stages(backend, graph, {.done = [&](StageIndex, const Tensor&) { ++stages; }});
    ended = stages == graph.stages.size();
    return true;
  });
  working.acquire();
  REQUIRE(engine.jobs().size() == 1);
  CHECK(engine.jobs()[0] == JobStatus{"benchmark", "measuring", true, 0.5});
  Document edited = projected_document();
  edited.layer().temperature = 2;
  engine.post({edited, &kLayerPlan});
  engine.wait_idle();
  CHECK(begun == 2);
  CHECK(ended);
  CHECK(engine.state().results->document == edited);
}

TEST_CASE("a job that is stopped gives up") {
  Budget budget;
  std::binary_semaphore working(0);
  bool gave_up = false;
  Engine engine(tests::reference, budget);
  engine.run({.name = "train", .run = {}}, [&](JobControl& control, Backend&) {
    working.release();
    while (!control.give_up()) std::this_thread::yield();
    gave_up = true;
    return false;
  });
  working.acquire();
  engine.stop_job("train");
  engine.wait_idle();
  CHECK(gave_up);
  CHECK(engine.jobs().empty());
}

TEST_CASE("the time of every stage is kept with the results") {
  Budget budget;
  Engine engine(tests::reference, budget);
  engine.post({projected_document(), &kLayerPlan});
  engine.wait_idle();
  const auto results = engine.state().results;
  REQUIRE(results->seconds_of.size() == results->graph.stages.size());
  for (StageIndex i = 0; i < results->graph.stages.size(); ++i)
    CHECK((results->seconds_of[i] > 0) == !results->graph.stages[i].given());
}
