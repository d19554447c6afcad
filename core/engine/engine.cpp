// The engine's jobs: making a backend, evaluating, checking, comparing, listing devices.
#include "core/engine/engine.h"

#include "core/engine/engine_jobs.h"
#include "core/evaluate/evaluator.h"
#include "core/reference/backend.h"

namespace attn {
namespace {

// What is cheap compared with a frame is known together with the results: about a millisecond for the checks
// (with 8 heads of 64 tokens 0.6 ms of 2), 0.1 ms for the reference. More waits: the checks for the end of
// the evaluation, the comparison until the hand that edits has rested.
constexpr std::size_t kNumbersCheckedAtOnce = 500'000;
constexpr double kOperationsComparedAtOnce = 50'000;

std::size_t count_numbers(const Results& results) {
  std::size_t count = 0;
  for (const StageResult& output : results.outputs) count += output.bytes() / sizeof(float);
  return count;
}

// Nothing to run when the results are the reference's own, or too large to be compared at all.
bool compares_at_once(const Results& results) {
  const double count = operation_count(results);
  return results.device == kReference || count <= kOperationsComparedAtOnce ||
         count > kMostComparedOperations;
}

}  // namespace

Engine::Engine(BackendFactory factory, Budget& budget, std::function<void()> published)
    : budget_(budget),
      published_(std::move(published)),
      worker_(
          [this] {
            if (published_) published_();
          },
          [this] {  // device objects die on the thread that made them
            evaluator_.reset();
            backend_.reset();
          }) {
  use(std::move(factory));
}

Engine::~Engine() = default;

void Engine::enqueue(const Request& request) {
  worker_.post({.name = "evaluate", .priority = kEvaluate, .run = [this, request](JobControl& control) {
                  compute(control, request);
                  return true;
                }});
}

// Locks are taken in one order: the engine's, then the worker's. The job is posted under the engine's, so
// that publish() cannot say "not busy" in between.
void Engine::post(Request request) {
  const std::lock_guard lock(mutex_);
  state_.busy = true;
  stop_ = false;
  enqueue(request);
}

void Engine::use(BackendFactory factory) {
  const std::lock_guard lock(mutex_);
  state_.busy = true;
  stop_ = false;
  worker_.post({.name = "device", .priority = kDevice, .run = [this, factory](JobControl&) {
                  make_backend(factory);
                  return true;
                }});
}

// Without work to stop nothing is remembered: else the next document would be stopped in its place.
void Engine::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = state_.busy;
    if (state_.busy || !state_.deferred || !state_.deferred->running()) return;
    worker_.stop(kRestJob);
    DeferredResults stopped = *state_.deferred;
    stopped.stopped = true;
    state_.deferred = std::make_shared<const DeferredResults>(std::move(stopped));
  }
  if (published_) published_();
}

void Engine::survey(DeviceSurvey survey) {
  {
    const std::lock_guard lock(mutex_);
    state_.surveyed = false;
  }
  worker_.post({.name = "survey", .priority = kSurvey, .run = [this, survey](JobControl&) {
                  run_survey(survey);
                  return true;
                }});
}

void Engine::run(Job job, Task task) {
  job.priority += kOthers;
  job.run = [this, task = std::move(task)](JobControl& control) {
    const bool done = task(control, *backend_);
    if (backend_->name() != state().device) replaced();
    if (published_) published_();
    return done;
  };
  worker_.post(std::move(job));
}

EngineState Engine::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

bool Engine::wait_idle_for(std::chrono::microseconds limit) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, limit, [this] { return !state_.busy; });
}

void Engine::publish(const std::function<void(EngineState&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(state_);
    state_.computing.clear();
    state_.busy = worker_.waits("evaluate") || worker_.waits("device");
  }
  changed_.notify_all();
  if (published_) published_();
}

// Between stages is where a computation can stop: a kernel that runs cannot be called back.
bool Engine::begin_stage(JobControl& control, const Stage& stage, double done) {
  {
    const std::lock_guard lock(mutex_);
    if (stop_ || worker_.quitting()) return false;
    state_.computing = stage.title;
    state_.progress = done;
  }
  control.progress(stage.title, done);
  return true;
}

// The newest results stay, the message says why they are not the document's.
void Engine::give_up(const std::string& why, Fault fault) {
  publish([&](EngineState& state) {
    state.error = why;
    state.fault = fault;
    state.stopped = stop_;
  });
}

// Work on the backend for the document on show. An error is told, and ends it.
bool Engine::attempt(const std::function<bool()>& work) {
  bool done = true;
  try {
    done = work();
  } catch (const Error& error) {
    give_up(error.what(), error.fault());
  } catch (const std::bad_alloc&) {
    give_up(kTooLarge, Fault::memory);
  }
  if (backend_->name() != state().device) replaced();
  return done;
}

void Engine::compute(JobControl& control, const Request& request) {
  last_ = request;
  attempt([&] {
    const auto progress = [&](const Stage& stage, double done) { return begin_stage(control, stage, done); };
    Built built = request.built ? *request.built : request.plan->build(request.document, kLayerA);
    auto results = std::make_shared<Results>(
        evaluator_->evaluate(request.document, std::move(built), request.wanted, progress));
    results->plan = request.plan;
    const auto before = state().results;
    if (results->bands && before && before->bands && before->plan == request.plan)
      show_before(*results, *before);
    if (backend_->name() == results->device) publish_results(results);  // else of two devices
    return true;
  });
}

// The device failed at work and another took its place in the middle: all of the document once more, on that
// one alone, so that what is shown is of one device. Enqueued first, so that nobody is told of an end
// between.
void Engine::replaced() {
  {
    const std::lock_guard lock(mutex_);
    if (last_ && !stop_ && !worker_.waits("evaluate")) enqueue(*last_);
  }
  publish([&](EngineState& state) {
    state.device = backend_->name();
    state.facts = backend_->facts();
    state.device_error = backend_->failure();
    state.notes.push_back(backend_->failure());
    state.stopped = state.stopped || stop_;
  });
}

void Engine::publish_results(const std::shared_ptr<const Results>& results) {
  std::shared_ptr<const Checks> checks;
  std::shared_ptr<const Comparison> comparison;
  if (!results->bands && count_numbers(*results) <= kNumbersCheckedAtOnce)
    checks = std::make_shared<const Checks>(check(*results));
  if (!results->bands && compares_at_once(*results))
    comparison = std::make_shared<const Comparison>(*compare_with_reference(*results));
  worker_.drop(kCheckJob);  // of older results
  worker_.drop(kBandsJob);
  worker_.drop(kLookJob);
  looked_.clear();
  worker_.drop("compare");
  worker_.drop(kRestJob);
  const bool checked = checks != nullptr, compared = comparison != nullptr;
  if (results->bands) post_bands(results, BandPart::first);  // what is checked comes with them
  // A check that waits posts the comparison behind it.
  if (!checked && !results->bands) post_check(results);
  if (checked && !compared) post_comparison(results);
  publish([&](EngineState& state) {
    state.results = results;
    state.checks = std::move(checks);
    state.comparison = std::move(comparison);
    state.deferred.reset();
    state.error.clear();
    state.fault.reset();
    state.stopped = false;
  });
  if (results->plan->deferred) post_deferred(results);
}

void Engine::run_survey(const DeviceSurvey& survey) {
  std::vector<DeviceChoice> devices;
  std::string note;
  try {
    devices = survey();
  } catch (const std::exception& error) {
    note = error.what();
  }
  publish([&](EngineState& state) {
    state.devices = std::move(devices);
    state.surveyed = true;
    if (!note.empty()) state.notes.push_back(note);
  });
}

void Engine::make_backend(const BackendFactory& factory) {
  std::vector<std::string> notes;
  std::string error;
  std::unique_ptr<Backend> made;
  try {
    made = factory(notes);
  } catch (const std::exception& e) {  // the backend in use stays; without one the reference steps in
    error = e.what();
    if (!backend_) {
      made = make_reference_backend();
      notes.push_back("computing on the reference instead: " + error);
    }
  }
  if (made) {
    evaluator_.reset();  // first: it refers to the backend that goes
    backend_ = std::move(made);
    evaluator_ = std::make_unique<Evaluator>(*backend_, budget_);
  }
  if (last_ && !worker_.waits("evaluate")) enqueue(*last_);  // the current document again, on the new backend
  const std::string name = backend_->name();
  const DeviceFacts facts = backend_->facts();
  publish([&](EngineState& state) {
    state.device = name;
    state.facts = facts;
    state.notes = std::move(notes);
    if (!error.empty()) state.fault = Fault::device;
    state.device_error = error;
    state.error = std::move(error);
  });
}

}  // namespace attn
