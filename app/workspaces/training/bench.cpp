// Moments first, since somebody looks at them; then the run that is behind the others.
#include "app/workspaces/training/bench.h"

#include <algorithm>
#include <thread>

namespace attn {
namespace {

constexpr std::chrono::milliseconds kWaits{2};  // for a step that is not due yet

}  // namespace

std::size_t TrainingBench::Pace::due() const {
  if (!speed) return to;
  const double passed = std::chrono::duration<double>(Clock::now() - began).count();
  return std::min(to, from + static_cast<std::size_t>(passed * *speed));
}

void TrainingBench::set_runs(std::vector<std::shared_ptr<TrainingRunner>> runs) {
  const std::lock_guard lock(mutex_);
  if (runs == runs_) return;
  runs_ = std::move(runs);
  pace_.reset();
}

void TrainingBench::play(std::size_t to, std::optional<double> steps_a_second) {
  const std::lock_guard lock(mutex_);
  if (pace_ && pace_->to == to && pace_->speed == steps_a_second) return;
  std::size_t from = to;
  for (const auto& run : runs_) from = std::min(from, run->step());
  for (const auto& run : runs_) run->order_steps(to);
  pace_ = Pace{to, from, steps_a_second, Clock::now()};
}

void TrainingBench::pause() {
  const std::lock_guard lock(mutex_);
  if (!pace_) return;
  pace_.reset();
  for (const auto& run : runs_) run->order_steps(run->step());
}

void TrainingBench::want(const MomentsWanted& wanted) {
  const std::lock_guard lock(mutex_);
  if (wanted.spec != wanted_.spec || wanted.rows != wanted_.rows) moments_.clear(), error_.clear();
  wanted_ = wanted;
  std::erase_if(moments_,
                [&](const auto& moment) { return std::ranges::count(wanted_.at, moment.first) == 0; });
}

std::shared_ptr<const TrainingMoment> TrainingBench::moment(const TrainingSnapshot* at) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [snapshot, moment] : moments_)
    if (snapshot.get() == at) return moment;
  return nullptr;
}

std::shared_ptr<const TrainingSnapshot> TrainingBench::next_moment() const {
  if (!error_.empty()) return nullptr;
  for (const auto& at : wanted_.at)
    if (!moments_.contains(at)) return at;
  return nullptr;
}

// Its next step, by the clock. What a run does beside its steps is always due.
bool TrainingBench::is_due(const TrainingRunner& run) const {
  return run.has_work() && (!pace_ || run.step() < pace_->due() || run.step() >= pace_->to);
}

bool TrainingBench::has_work() {
  const std::lock_guard lock(mutex_);
  return next_moment() || std::ranges::any_of(runs_, [](const auto& run) { return run->has_work(); });
}

std::string TrainingBench::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

bool TrainingBench::work(Backend& backend) {
  if (backend_ != &backend) {  // what was made on another one is good for nothing
    const std::lock_guard lock(mutex_);
    maker_.reset(), backend_ = &backend;
    for (const auto& run : runs_) run->let_go();
  }
  return work_at_moment(backend) || work_at_run(backend);
}

bool TrainingBench::work_at_moment(Backend& backend) {
  MomentsWanted wanted;
  std::shared_ptr<const TrainingSnapshot> next;
  {
    const std::lock_guard lock(mutex_);
    next = next_moment();
    if (!next) return false;
    wanted = wanted_;
  }
  try {
    if (!maker_ || made_for_ != wanted.spec || made_rows_ != wanted.rows->size()) {
      maker_ = std::make_unique<MomentMaker>(backend, *wanted.spec, wanted.rows->size());
      made_for_ = wanted.spec, made_rows_ = wanted.rows->size();
    }
    auto made = std::make_shared<const TrainingMoment>(maker_->at(next->state.parameters, *wanted.rows));
    const std::lock_guard lock(mutex_);
    if (wanted.spec == wanted_.spec && wanted.rows == wanted_.rows) moments_[next] = std::move(made);
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    maker_.reset(), error_ = error.what();
  }
  return true;
}

bool TrainingBench::work_at_run(Backend& backend) {
  std::shared_ptr<TrainingRunner> next;
  bool waits = false;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& run : runs_) {
      const bool due = is_due(*run);
      waits = waits || (!due && run->has_work());
      if (due && (!next || run->step() < next->step())) next = run;
    }
  }
  if (next) return next->work(backend) || waits || has_work();
  if (waits) std::this_thread::sleep_for(kWaits);
  return waits;
}

}  // namespace attn
