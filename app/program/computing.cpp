// Results of another workspace or document than the one on screen are left out of what is shown.
#include "app/program/computing.h"

#include <algorithm>

namespace attn {
namespace {

constexpr const char* kHeld =
    "This was being computed when the program ended last time, so it is not computed again before you ask. "
    "If it was too much, a smaller layer or another device may do.";

}  // namespace

Computing::Computing(DeviceSource devices, MeasureSetup measures, Store store, Budget& budget,
                     std::function<void()> wake)
    : devices_(std::move(devices)),
      store_(std::move(store)),
      engine_(devices_.backend, budget, std::move(wake)),
      measure_(std::move(measures.store), std::move(measures.program), std::move(measures.surroundings)) {}

void Computing::compute(Request request) {
  if (!std::exchange(marked_, true)) store_.set_computing(true);
  engine_.post(std::move(request));
}

EngineState Computing::state_for(const Document& document, const Plan* plan) {
  EngineState state = engine_.state();
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
  state.rest.reset();
  return state;
}

bool Computing::use(const std::string& choice) {
  if (!devices_.backend_for) return false;
  engine_.use(devices_.backend_for(choice));
  return true;
}

void Computing::survey_devices() {
  if (std::ranges::count(engine_.jobs(), "survey", &JobStatus::name) > 0)
    return;  // that one's answer will do
  engine_.survey([survey = devices_.survey] { return survey ? survey(false) : std::vector<DeviceChoice>(); });
}

bool Computing::retest_devices() {
  if (!devices_.survey || !devices_.backend_for) {
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
