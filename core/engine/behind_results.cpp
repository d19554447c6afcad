// What the engine does behind results: checks and comparisons that are too dear to come with them, and the
// pieces of what takes longer.
#include <algorithm>
#include <new>

#include "core/checks/checks_bands.h"
#include "core/engine/engine.h"
#include "core/engine/engine_jobs.h"
#include "core/evaluate/run.h"
#include "core/graph/cut_rows.h"

namespace attn {
namespace {

// What compares waits until the hand that edits has rested.
constexpr std::chrono::milliseconds kHandRests{120};

constexpr std::chrono::milliseconds kShownAfter{250};

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

void Engine::look(const std::vector<std::size_t>& rows) {
  worker_.post({.name = kLookJob, .priority = kLook, .run = [this, rows](JobControl&) {
                  look_at(rows);
                  return true;
                }});
}

void Engine::look_at(const std::vector<std::size_t>& rows) {
  const std::shared_ptr<const Results> results = state().results;
  if (!results || !results->bands) return;
  attempt([&] {
    std::vector<LookedAt> looked;
    for (const std::size_t row : rows) {
      if (row >= query_rows(results->graph)) continue;  // seen in results before these
      const auto known = std::ranges::find(looked_, RowRange{row, 1}, &LookedAt::rows);
      looked.push_back(known != looked_.end() ? *known
                                              : LookedAt{{row, 1}, rows_of(*backend_, *results, {row, 1})});
    }
    looked_ = std::move(looked);
    show_bands(*results);
    return true;
  });
}

void Engine::show_bands(Results seen) {
  auto results = std::make_shared<const Results>(with_rows(seen, looked_));
  publish([&](EngineState& state) { state.results = std::move(results); });
}

void Engine::post_bands(const std::shared_ptr<const Results>& results, BandPart part) {
  auto bands = std::make_shared<BandRun>(results, part);
  worker_.post(
      {.name = kBandsJob, .priority = kBands, .yields = true, .run = [this, bands](JobControl& control) {
         return run_bands(control, *bands);
       }});
}

// Whether it came to the end. What has been seen is shown now and then: each time all that a frame works out
// of results is made anew.
template <class Pass, class Show>
bool Engine::go_through(JobControl& control, Pass& pass, Show show) {
  auto shown = std::chrono::steady_clock::now();
  while (!pass.done() && !control.give_up()) {
    control.progress("rows", pass.progress());
    pass.step(*backend_);
    const auto now = std::chrono::steady_clock::now();
    if (!pass.done() && now - shown < kShownAfter) continue;
    shown = now;
    show();
  }
  return pass.done();
}

bool Engine::run_bands(JobControl& control, BandRun& bands) {
  return attempt([&] {
    if (!go_through(control, bands, [&] { show_bands(bands.seen()); })) return false;
    const std::shared_ptr<const Results> results = state().results;
    if (bands.part() == BandPart::first)
      post_bands(results, BandPart::rest);
    else
      post_band_checks(results);
    return true;
  });
}

// Its rows are made once more.
void Engine::post_band_checks(const std::shared_ptr<const Results>& results) {
  auto checks = std::make_shared<BandChecks>(results);
  worker_.post({.name = kCheckJob,
                .priority = kCheck,
                .yields = true,
                .run = [this, results, checks](JobControl& control) {
                  return attempt([&] {
                    if (!go_through(control, *checks, [&] { show_checks(checks->seen()); })) return false;
                    post_comparison(results);
                    return true;
                  });
                }});
}

void Engine::show_checks(Checks seen) {
  auto checks = std::make_shared<const Checks>(std::move(seen));
  publish([&](EngineState& state) { state.checks = std::move(checks); });
}

// Of results that were too large for it. Both give up for a newer document, whose results bring their own.
void Engine::post_check(const std::shared_ptr<const Results>& results) {
  worker_.post(
      {.name = kCheckJob, .priority = kCheck, .yields = true, .run = [this, results](JobControl& control) {
         const auto checks = check(*results, [&] { return control.give_up(); });
         if (!checks) return true;
         show_checks(*checks);
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
                  return attempt([&] {
                    const auto give_up = [&] { return control.give_up(); };
                    const auto found = results->bands
                                           ? compare_rows_with_reference(*backend_, *results, give_up)
                                           : compare_with_reference(*results, give_up);
                    if (found)
                      publish([&](EngineState& state) {
                        state.comparison = std::make_shared<const Comparison>(*found);
                      });
                    return true;
                  });
                }});
}

}  // namespace attn
