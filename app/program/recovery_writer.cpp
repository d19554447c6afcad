// An inbox of one place: what is posted while a recovery is being written, or too soon after one, replaces
// the one that waits. The thread ends only when the inbox is empty, so the last one posted is always written.
#include "app/program/recovery_writer.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

// What could not be written is tried again: disks become writable.
constexpr std::chrono::seconds kRetry{5};

}  // namespace

RecoveryWriter::RecoveryWriter(Store store, std::function<void()> told, std::chrono::milliseconds period)
    : store_(std::move(store)), told_(std::move(told)), period_(period), worker_([this] { work(); }) {}

RecoveryWriter::~RecoveryWriter() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

void RecoveryWriter::post(Recovery recovery) {
  {
    const std::lock_guard lock(mutex_);
    if (latest_ == recovery && note_.empty()) return;
    inbox_ = latest_ = std::move(recovery);
  }
  changed_.notify_all();
}

bool RecoveryWriter::finish(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  hurry_ = true;
  changed_.notify_all();
  const bool idle = changed_.wait_for(lock, limit, [this] { return !inbox_ && !writing_; });
  hurry_ = false;
  return idle && note_.empty();
}

std::string RecoveryWriter::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

std::optional<Recovery> RecoveryWriter::written() const {
  const std::lock_guard lock(mutex_);
  return written_;
}

void RecoveryWriter::work() {
  std::unique_lock lock(mutex_);
  const auto asked = [this] { return stopping_ || inbox_; };
  auto next = std::chrono::steady_clock::now();
  for (;;) {
    if (note_.empty())
      changed_.wait(lock, asked);
    else if (!changed_.wait_for(lock, kRetry, asked))
      inbox_ = latest_;
    if (!inbox_) return;
    changed_.wait_until(lock, next, [this] { return stopping_ || hurry_; });
    const auto begin = std::chrono::steady_clock::now();
    write(lock);
    // A drag on a large layer leaves half of a core to others.
    const auto end = std::chrono::steady_clock::now();
    next = std::max(begin + period_, end + (end - begin));
  }
}

void RecoveryWriter::write(std::unique_lock<std::mutex>& lock) {
  const Recovery recovery = *std::exchange(inbox_, std::nullopt);
  writing_ = true;
  lock.unlock();
  store_.save_recovery(recovery);
  lock.lock();
  writing_ = false;
  if (store_.note().empty()) written_ = recovery;
  const bool another = std::exchange(note_, store_.note()) != store_.note();
  changed_.notify_all();
  if (!another || !told_) return;
  lock.unlock();
  told_();
  lock.lock();
}

}  // namespace attn
