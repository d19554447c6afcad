// Results of another workspace or document than the one on screen are left out of what is shown.
#include "app/program/computing.h"

#include <algorithm>

#include "core/checks/comparison.h"
#include "core/reference/backend.h"

namespace attn {
namespace {

constexpr const char* kHeld =
    "This was being computed when the program ended last time, so it is not computed again before you ask. "
    "If it was too much, a smaller layer or another device may do.";

// About a tenth of a second of the reference.
constexpr double kAtOnce = 5e7;

bool is_short(const Request& request) {
  if (!request.built) return true;  // it makes no graph
  double operations = 0;
  const Graph& graph = request.built->graph;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) operations += operation_count(graph, i);
  return operations <= kAtOnce;
}

std::unique_ptr<Backend> reference_meanwhile(std::vector<std::string>&) {
  return make_reference_backend();
}

}  // namespace

Computing::Computing(DeviceSource devices, MeasureSetup measures, Store store, Budget& budget,
                     std::function<void()> wake)
    : devices_(std::move(devices)),
      store_(std::move(store)),
      testing_(devices_.test != nullptr),
      engine_(testing_ ? reference_meanwhile : devices_.backend, budget, wake),
      measure_(std::move(measures.store), std::move(measures.program), std::move(measures.surroundings)),
      test_(std::move(wake)) {
  if (!testing_) return;
  test_.start([test = devices_.test](JobControl&) {
    test();
    return true;
  });
}

void Computing::end_test() {
  testing_ = false;
  engine_.use(devices_.backend);
  if (std::exchange(survey_asked_, false)) survey_devices();
  if (for_device_) engine_.post(*std::exchange(for_device_, std::nullopt));
}

void Computing::compute(Request request) {
  if (!std::exchange(marked_, true)) store_.set_computing(true);
  for_device_.reset();
  if (testing_ && !is_short(request))
    for_device_ = std::move(request);
  else
    engine_.post(std::move(request));
}

EngineState Computing::state_for(const Document& document, const Plan* plan) {
  if (test_.take()) end_test();
  EngineState state = engine_.state();
  state.testing = testing_;
  state.busy = state.busy || for_device_;
  if (marked_ && !state.busy && engine_.jobs().empty()) store_.set_computing(marked_ = false);
  const bool held = holds(document);
  if (held) {
    state.stopped = true;
    state.error = kHeld;
  }
  if (!state.results || (state.results->plan == plan && !held)) return state;
  state.results.reset();
  state.checks.reset();
  state.comparison.reset();
  state.deferred.reset();
  return state;
}

void Computing::look(const std::shared_ptr<const Results>& results, const View& view) {
  if (!results || !results->bands) return;
  std::vector<std::size_t> rows;
  for (const auto& spot : {view.hovered, view.pinned}) {
    const auto stage = spot ? results->graph.find(spot->stage) : std::nullopt;
    if (stage && results->bands->has(*stage) && std::ranges::count(rows, spot->cell.row) == 0)
      rows.push_back(spot->cell.row);
  }
  if (rows.empty() || looked_at_ == std::pair(results->bands, rows)) return;
  looked_at_ = {results->bands, rows};
  engine_.look(rows);
}

bool Computing::use(const std::string& choice) {
  if (!devices_.backend_for) return false;
  if (testing_)
    devices_.backend = devices_.backend_for(choice);
  else
    engine_.use(devices_.backend_for(choice));
  return true;
}

void Computing::survey_devices() {
  if (testing_) return void(survey_asked_ = true);  // the engine's thread would wait for the test
  if (std::ranges::count(engine_.jobs(), "survey", &JobStatus::name) > 0)
    return;  // that one's answer will do
  engine_.survey([survey = devices_.survey] { return survey ? survey(false) : std::vector<DeviceChoice>(); });
}

bool Computing::retest_devices() {
  if (testing_ || !devices_.survey || !devices_.backend_for) {
    survey_devices();
    return false;
  }
  engine_.survey([this, survey = devices_.survey] {
    std::vector<DeviceChoice> devices = survey(true);
    retested_ = true;
    return devices;
  });
  return true;
}

void Computing::follow_retest(const std::string& choice) {
  if (retested_.exchange(false)) use(choice);
}

void Computing::measure(const MeasureSpec& spec) {
  measure_.start(engine_, spec);
  recalled_ = {spec.shape, engine_.state().device};
}

// Of another shape or device something else is kept.
void Computing::recall_measured(const MeasureShape& shape, const std::string& device,
                                const Measuring& in_sight) {
  if (device.empty() || in_sight.running || recalled_ == std::pair(shape, device)) return;
  const auto& measured = in_sight.measured;  // what a lost device left stays in sight
  if (measured && measured->state == MeasureState::ended && measured->shape == shape) return;
  recalled_ = {shape, device};
  measure_.recall(engine_, shape);
}

}  // namespace attn
