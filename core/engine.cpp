#include "core/engine.h"

#include "core/evaluator.h"
#include "core/reference/backend.h"

namespace attn {
namespace {

// What is cheap beside a frame is known together with the results: about a millisecond for the checks (with 8
// heads of 64 tokens 0.6 ms of 2), 0.1 ms for the reference. More waits: the checks for the end of the
// evaluation, the comparison until the hand that edits has rested.
constexpr std::size_t kNumbersCheckedAtOnce = 500'000;
constexpr double kOperationsComparedAtOnce = 50'000;
constexpr std::chrono::milliseconds kRest{120};
constexpr std::chrono::milliseconds kProgress{100};  // between two calls to show it

std::size_t count_numbers(const Results& results) {
  std::size_t count = 0;
  for (const Tensor& output : results.outputs) count += output.values().size();
  return count;
}

// Nothing to run when the results are the reference's own, or too large to be compared at all.
bool compares_at_once(const Results& results) {
  const double count = operation_count(results);
  return results.device == "reference" || count <= kOperationsComparedAtOnce ||
         count > kMostComparedOperations;
}

}  // namespace

Engine::Engine(BackendFactory factory, Budget& budget, std::function<void()> published)
    : budget_(budget), published_(std::move(published)), next_factory_(std::move(factory)) {
  worker_ = std::thread([this] { work(); });
}

Engine::~Engine() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

void Engine::post(Document document, std::vector<std::string> wanted) {
  {
    const std::lock_guard lock(mutex_);
    inbox_ = Request{std::move(document), std::move(wanted)};
    state_.busy = true;
    stop_ = false;
  }
  changed_.notify_all();
}

void Engine::use(BackendFactory factory) {
  {
    const std::lock_guard lock(mutex_);
    next_factory_ = std::move(factory);
    state_.busy = true;
    stop_ = false;
  }
  changed_.notify_all();
}

void Engine::stop() {
  const std::lock_guard lock(mutex_);
  stop_ = state_.busy;
}

void Engine::survey(DeviceSurvey survey) {
  {
    const std::lock_guard lock(mutex_);
    survey_ = std::move(survey);
  }
  changed_.notify_all();
}

EngineState Engine::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void Engine::wait_idle() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return idle(); });
}

bool Engine::wait_idle_for(std::chrono::microseconds limit) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, limit, [this] { return up_to_date(); });
}

void Engine::publish(const std::function<void(EngineState&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(state_);
    state_.computing.clear();
    state_.busy = inbox_.has_value() || next_factory_ != nullptr;
  }
  changed_.notify_all();
  if (published_) published_();
}

bool Engine::begin_stage(const Stage& stage, double done) {
  {
    const std::lock_guard lock(mutex_);
    if (stop_ || stopping_) return false;
    state_.computing = stage.title;
    state_.progress = done;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - progress_shown_ >= kProgress) {
    progress_shown_ = now;
    if (published_) published_();
  }
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

void Engine::compute(const Request& request) {
  progress_shown_ = std::chrono::steady_clock::now();
  try {
    auto results = std::make_shared<const Results>(
        evaluator_->evaluate(request.document, build_graph(request.document.layer), request.wanted,
                             [this](const Stage& stage, double done) { return begin_stage(stage, done); }));
    std::shared_ptr<const Checks> checks;
    std::shared_ptr<const Comparison> comparison;
    if (count_numbers(*results) <= kNumbersCheckedAtOnce)
      checks = std::make_shared<const Checks>(check(*results));
    if (compares_at_once(*results))
      comparison = std::make_shared<const Comparison>(*compare_with_reference(*results));
    publish([&](EngineState& state) {
      unverified_ = checks && comparison ? nullptr : results;
      state.results = std::move(results);
      state.checks = std::move(checks);
      state.comparison = std::move(comparison);
      state.error.clear();
      state.fault.reset();
      state.stopped = false;
    });
  } catch (const Error& error) {
    give_up(error.what(), error.fault());
  } catch (const std::bad_alloc&) {
    give_up("not enough memory for a layer of this size: use fewer tokens or heads", Fault::input);
  }
}

// The checks and the comparison of results that were too large for them. Gives up for a newer document, whose
// results bring their own.
void Engine::verify(const std::shared_ptr<const Results>& results) {
  const auto overtaken = [this] {
    const std::lock_guard lock(mutex_);
    return newer();
  };
  if (!state().checks) {
    const auto checks = check(*results, overtaken);
    if (!checks) return;
    publish([&](EngineState& state) { state.checks = std::make_shared<const Checks>(*checks); });
  }
  {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, kRest, [this] { return newer(); })) return;
  }
  const auto comparison = compare_with_reference(*results, overtaken);
  if (!comparison) return;
  publish([&](EngineState& state) { state.comparison = std::make_shared<const Comparison>(*comparison); });
}

void Engine::run_survey(const DeviceSurvey& survey) {
  std::vector<DeviceChoice> devices;
  std::string note;
  try {
    devices = survey();
  } catch (const Error& error) {
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
  } catch (const Error& e) {  // the backend in use stays; without one the reference steps in
    error = e.what();
    if (!backend_) {
      made = make_reference_backend();
      notes.push_back("computing on the reference instead: " + error);
    }
  }
  if (made) {
    evaluator_.reset();
    backend_ = std::move(made);
    evaluator_ = std::make_unique<Evaluator>(*backend_, budget_);
  }
  const std::string name = backend_->name();
  publish([&](EngineState& state) {
    state.device = name;
    state.notes = std::move(notes);
    if (!error.empty()) state.fault = Fault::device;
    state.device_error = error;
    state.error = std::move(error);
    if (!inbox_) inbox_ = std::move(last_);  // the current document again, on the new backend
  });
}

void Engine::work() {
  for (;;) {
    BackendFactory factory;
    std::optional<Request> request;
    DeviceSurvey survey;
    std::shared_ptr<const Results> results;
    {
      std::unique_lock lock(mutex_);
      aside_ = false;
      changed_.notify_all();
      changed_.wait(lock, [&] { return newer() || survey_ || unverified_; });
      if (stopping_) break;
      if (next_factory_)
        factory = std::exchange(next_factory_, nullptr);
      else if (inbox_)
        request = std::exchange(inbox_, std::nullopt);
      else if (survey_)
        survey = std::exchange(survey_, nullptr);
      else
        results = std::exchange(unverified_, nullptr);
      aside_ = survey || results;
    }
    if (factory) {
      make_backend(factory);
    } else if (request) {
      compute(*request);
      last_ = std::move(request);
    } else if (survey) {
      run_survey(survey);
    } else {
      verify(results);
    }
  }
  evaluator_.reset();  // device objects die on the thread that made them
  backend_.reset();
}

}  // namespace attn
