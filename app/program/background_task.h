// BackgroundTask: one thing at a time, made on a thread of its own. Newest wins.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "core/system/worker.h"

namespace attn {

template <class Result>
class BackgroundTask {
 public:
  // `news` is called on the thread when there is a result, and from time to time when there is more of it;
  // may be empty.
  explicit BackgroundTask(std::function<void()> news) : news_(news), worker_(std::move(news)) {}

  // Gives up what is being made. `make` asks the control whether it is still wanted and tells it how far it
  // is; it throws nothing.
  void start(std::function<Result(JobControl&)> make) {
    stop();
    const std::lock_guard lock(mutex_);
    running_ = true;
    worker_.post({.name = kJob, .run = [this, make = std::move(make), number = newest_](JobControl& control) {
                    finish(number, make(control));
                    return true;
                  }});
  }
  void stop() {
    worker_.stop(kJob);
    const std::lock_guard lock(mutex_);
    ++newest_;
    running_ = false;
    result_.reset();
  }

  // Until there is a result.
  bool running() const {
    const std::lock_guard lock(mutex_);
    return running_;
  }
  // Which part of it is made, 0 … 1, as far as that was told.
  double done() const {
    const std::vector<JobStatus> jobs = worker_.status();
    return jobs.empty() ? 0 : jobs.front().done;
  }
  std::optional<Result> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(result_, std::nullopt);
  }
  // Until there is a result, at most this long.
  void wait_for(std::chrono::milliseconds limit) const {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [this] { return !running_; });
  }

 private:
  static constexpr const char* kJob = "background task";

  // What was given up comes to an end too, and is told by its number.
  void finish(std::size_t number, Result result) {
    {
      const std::lock_guard lock(mutex_);
      if (number != newest_) return;
      running_ = false;
      result_ = std::move(result);
    }
    changed_.notify_all();
    if (news_) news_();
  }

  std::function<void()> news_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::size_t newest_ = 0;  // counts what was started and stopped
  bool running_ = false;
  std::optional<Result> result_;
  Worker worker_;  // last: its thread uses everything above
};

}  // namespace attn
