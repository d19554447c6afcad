// The list of jobs and the thread that works it off.
#include "core/system/worker.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace attn {
namespace {

constexpr std::chrono::milliseconds kProgress{100};  // between two calls to show it

auto named(std::string_view name) {
  return [name](const Job& job) { return job.name == name; };
}

}  // namespace

bool JobControl::give_up() const {
  const std::lock_guard lock(worker_.mutex_);
  const Job& job = *worker_.running_;
  return worker_.quitting_ || worker_.stopped_ || (job.yields && worker_.more_urgent(job.priority));
}

void JobControl::progress(const std::string& doing, double done) {
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(worker_.mutex_);
    worker_.doing_ = doing;
    worker_.done_ = done;
    if (now - worker_.shown_ < kProgress) return;
    worker_.shown_ = now;
  }
  if (worker_.changed_) worker_.changed_();
}

Worker::Worker(std::function<void()> changed, std::function<void()> at_end)
    : changed_(std::move(changed)), at_end_(std::move(at_end)), thread_([this] { work(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    quitting_ = true;
    std::ranges::move(waiting_, std::back_inserter(dropped_));
    waiting_.clear();
  }
  wake_.notify_all();
  thread_.join();
}

void Worker::post(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (quitting_) return;
    take_out(job.name);
    came_[job.priority] = std::chrono::steady_clock::now();
    waiting_.push_back(std::move(job));
  }
  wake_.notify_all();
}

// Under the lock.
void Worker::take_out(std::string_view name) {
  for (auto job = waiting_.begin(); job != waiting_.end();) {
    if (job->name != name) {
      ++job;
      continue;
    }
    dropped_.push_back(std::move(*job));
    job = waiting_.erase(job);
  }
}

// Without the lock: who gives up a job need not wait for the end of what it holds.
void Worker::end_dropped(std::unique_lock<std::mutex>& lock) {
  std::vector<Job> dropped = std::exchange(dropped_, {});
  lock.unlock();
  dropped.clear();
  lock.lock();
}

void Worker::drop(std::string_view name) {
  {
    const std::lock_guard lock(mutex_);
    take_out(name);
  }
  wake_.notify_all();
}

void Worker::stop(std::string_view name) {
  {
    const std::lock_guard lock(mutex_);
    take_out(name);
    if (running_ && running_->name == name) stopped_ = true;
  }
  wake_.notify_all();
}

bool Worker::waits(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(waiting_, named(name));
}

std::vector<JobStatus> Worker::status() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobStatus> jobs;
  if (running_) jobs.push_back({running_->name, doing_, true, done_});
  for (const Job& job : waiting_) jobs.push_back({job.name, {}, false, 0});
  return jobs;
}

void Worker::wait_idle() const {
  std::unique_lock lock(mutex_);
  ++awaited_;
  wake_.notify_all();
  wake_.wait(lock, [this] { return waiting_.empty() && !running_; });
  --awaited_;
}

bool Worker::more_urgent(int priority) const {
  return std::ranges::any_of(waiting_, [&](const Job& job) { return job.priority < priority; });
}

std::chrono::steady_clock::time_point Worker::rests_since(int priority) const {
  std::chrono::steady_clock::time_point since{};
  for (const auto& [of, time] : came_)
    if (of <= priority) since = std::max(since, time);
  return since;
}

// Waits for a job, and for its delay; a more urgent one that comes meanwhile takes its place.
void Worker::take_most_urgent(std::unique_lock<std::mutex>& lock) {
  for (;;) {
    wake_.wait(lock, [this] { return quitting_ || !waiting_.empty() || !dropped_.empty(); });
    if (quitting_) return;
    if (!dropped_.empty()) end_dropped(lock);
    if (waiting_.empty()) continue;
    const auto next = std::ranges::min_element(waiting_, {}, &Job::priority);
    const auto rested = rests_since(next->priority) + next->delay;
    if (std::chrono::steady_clock::now() < rested && next->delay.count() > 0) {
      const int priority = next->priority;
      const std::string name = next->name;
      const auto other = [&] {
        return quitting_ || awaited_ > 0 || more_urgent(priority) ||
               std::ranges::none_of(waiting_, named(name));
      };
      const bool woken = wake_.wait_until(lock, rested, other);
      if (quitting_ || waiting_.empty() || (woken && awaited_ == 0)) continue;
    }
    // Looked for anew: meanwhile posting may have moved the jobs, or put a newer one of its name there.
    const auto taken = std::ranges::min_element(waiting_, {}, &Job::priority);
    running_ = std::make_unique<Job>(std::move(*taken));
    waiting_.erase(taken);
    stopped_ = false;
    doing_.clear();
    done_ = 0;
    shown_ = std::chrono::steady_clock::now();
    return;
  }
}

// A job that yielded goes back to the list, unless a newer one of its name has come. running_ changes under
// the lock and on this thread alone, which therefore may call it without the lock.
void Worker::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    take_most_urgent(lock);
    if (quitting_) break;
    lock.unlock();
    JobControl control(*this);
    const bool done = running_->run(control);
    lock.lock();
    came_[running_->priority + 1] = std::chrono::steady_clock::now();
    const bool again =
        !done && !stopped_ && !quitting_ && std::ranges::none_of(waiting_, named(running_->name));
    if (again) waiting_.push_back(std::move(*running_));
    // The job's captures may be large: they go before anybody is told that it is over.
    std::unique_ptr<Job> over = std::exchange(running_, nullptr);
    lock.unlock();
    over.reset();
    wake_.notify_all();
    lock.lock();
  }
  end_dropped(lock);
  lock.unlock();
  if (at_end_) at_end_();
}

}  // namespace attn
