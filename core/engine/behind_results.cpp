// What the engine does behind results: checks and comparisons that are too dear to come with them, and the
// pieces of what takes longer.
#include "core/engine/engine.h"
#include "core/engine/engine_jobs.h"
#include "core/evaluate/run.h"

namespace attn {
namespace {

// What compares waits until the hand that edits has rested.
constexpr std::chrono::milliseconds kHandRests{120};

}  // namespace

// It goes on where it yielded to something more urgent.
void Engine::post_deferred(const std::shared_ptr<const Results>& results) {
  auto pieces = std::make_shared<const std::vector<DeferredGraph>>(
      results->plan->deferred(results->document, results->places));
  if (pieces->empty()) return;
  auto deferred = std::make_shared<DeferredResults>(DeferredResults{.results = results});
  deferred->outputs.resize(pieces->size());
  deferred->began = std::chrono::steady_clock::now();
  worker_.post({.name = kRestJob,
                .priority = kPieces,
                .yields = true,
                .delay = results->plan->deferred_waits ? kHandRests : std::chrono::milliseconds(0),
                .run = [this, pieces, deferred](JobControl& control) {
                  return run_deferred(control, *pieces, *deferred);
                }});
}

bool Engine::run_deferred(JobControl& control, const std::vector<DeferredGraph>& pieces,
                          DeferredResults& deferred) {
  const auto show = [&] {
    publish([&](EngineState& state) {
      if (state.results == deferred.results && !(state.deferred && state.deferred->stopped))
        state.deferred = std::make_shared<const DeferredResults>(deferred);
    });
  };
  while (deferred.running() && !control.give_up()) {
    const DeferredGraph& piece = pieces[deferred.done];
    deferred.doing = piece.doing;
    if (deferred.done == 0) show();
    control.progress(piece.doing, static_cast<double>(deferred.done) / static_cast<double>(pieces.size()));
    try {
      const Graph graph = piece.graph();
      const StageIndex last = graph.stages.size() - 1;
      Tensor output;
      run_stages(
          *backend_, graph,
          // All come here: a backend that is watched sees what stays on the device by its results alone.
          {.done = [&](StageIndex i, const Tensor& result) {
            if (i == last) output = result;
          }});
      deferred.outputs[deferred.done++] = std::move(output);
    } catch (const Error& error) {
      deferred.error = error.what();
      deferred.fault = error.fault();
    } catch (const std::exception& error) {
      deferred.error = error.what();
    }
    show();
  }
  if (backend_->name() != state().device) replaced();
  return !deferred.running();
}

// Of results that were too large for it. Both give up for a newer document, whose results bring their own.
void Engine::post_check(const std::shared_ptr<const Results>& results) {
  worker_.post(
      {.name = "check", .priority = kCheck, .yields = true, .run = [this, results](JobControl& control) {
         const auto checks = check(*results, [&] { return control.give_up(); });
         if (!checks) return true;
         publish([&](EngineState& state) { state.checks = std::make_shared<const Checks>(*checks); });
         post_comparison(results);
         return true;
       }});
}

void Engine::post_comparison(const std::shared_ptr<const Results>& results) {
  worker_.post({.name = "compare",
                .priority = kCompare,
                .yields = true,
                .delay = kHandRests,
                .run = [this, results](JobControl& control) {
                  const auto found = compare_with_reference(*results, [&] { return control.give_up(); });
                  if (found)
                    publish([&](EngineState& state) {
                      state.comparison = std::make_shared<const Comparison>(*found);
                    });
                  return true;
                }});
}

}  // namespace attn
