// The job and what it shares with whoever shows it.
#include "core/measure/measure_job.h"

#include <atomic>
#include <mutex>

#include "core/engine/engine.h"

namespace attn {
namespace {

constexpr const char* kRecall = "recall measured";

// Of one start: stopping it does not stop the next.
struct Running {
  explicit Running(Measurement of) : measurement(std::move(of)) {}

  Measurement measurement;
  std::atomic<bool> stop = false;
};

}  // namespace

struct MeasureJob::Shared {
  MeasureStore store;
  std::string program;
  MeasureSurroundings surroundings;
  mutable std::mutex mutex;
  Measuring shown;
  std::shared_ptr<Running> running;  // the newest start
  std::size_t starts = 0;

  // Whether it is over. On the worker.
  bool work(const std::shared_ptr<Running>& mine, JobControl& control, Backend& backend) {
    const auto give_up = [&] { return mine->stop || control.give_up(); };
    for (;;) {
      if (mine->stop) mine->measurement.stop(backend);
      if (mine->stop || control.give_up()) break;
      const bool more = mine->measurement.step(backend, give_up);
      const MeasureProgress& progress = mine->measurement.progress();
      control.progress(progress.doing, progress.share());
      show(mine, more);
      if (!more) break;
    }
    const MeasureState state = mine->measurement.measured().state;
    if (state == MeasureState::running || state == MeasureState::waiting) return false;  // it yields
    const std::string note = store.keep(mine->measurement.measured());
    show(mine, false, note);
    return true;
  }

  // Unless a newer start is what is shown.
  void show(const std::shared_ptr<Running>& mine, bool more, const std::string& note = {}) {
    auto measured = std::make_shared<const Measured>(mine->measurement.measured());
    const std::lock_guard lock(mutex);
    if (running != mine) return;
    shown = {.measured = std::move(measured),
             .running = more,
             .progress = mine->measurement.progress(),
             .note = note};
  }

  void recall(const MeasureShape& shape, const Backend& backend) {
    std::string note;
    const MeasuredDevice device{backend.name(), backend.facts().version, program};
    const auto found = store.find(device, shape, note);
    const std::lock_guard lock(mutex);
    if (shown.running) return;
    shown = {.measured = found ? std::make_shared<const Measured>(*found) : nullptr, .note = note};
  }
};

MeasureJob::MeasureJob(MeasureStore store, std::string program, MeasureSurroundings surroundings)
    : shared_(std::make_shared<Shared>()) {
  shared_->store = std::move(store);
  shared_->program = std::move(program);
  shared_->surroundings = std::move(surroundings);
}

MeasureJob::~MeasureJob() {
  stop();
}

void MeasureJob::recall(Engine& engine, const MeasureShape& shape) {
  engine.run({.name = kRecall, .run = {}}, [shared = shared_, shape](JobControl&, Backend& backend) {
    shared->recall(shape, backend);
    return true;
  });
}

void MeasureJob::start(Engine& engine, MeasureSpec spec) {
  spec.program = shared_->program;
  auto mine = std::make_shared<Running>(Measurement(std::move(spec), {}, shared_->surroundings));
  std::string name = "measure ";  // and a number: one that was stopped still has to keep its points
  {
    const std::lock_guard lock(shared_->mutex);
    name += std::to_string(++shared_->starts);
    if (shared_->running) shared_->running->stop = true;
    shared_->running = mine;
    shared_->shown = {.measured = nullptr, .running = true};
  }
  engine.run({.name = name, .priority = 1, .yields = true, .run = {}},
             [shared = shared_, mine](JobControl& control, Backend& backend) {
               return shared->work(mine, control, backend);
             });
}

void MeasureJob::stop() {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->running) shared_->running->stop = true;
}

Measuring MeasureJob::now() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->shown;
}

}  // namespace attn
