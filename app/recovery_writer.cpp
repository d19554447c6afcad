// An inbox of one place: what is posted while a recovery is being written replaces the one that waits. The
// thread ends only when the inbox is empty, so the last one posted is always written.
#include "app/recovery_writer.h"

#include <utility>

namespace attn {

RecoveryWriter::RecoveryWriter(Store store) : store_(std::move(store)), worker_([this] { work(); }) {}

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
    inbox_ = std::move(recovery);
  }
  changed_.notify_all();
}

std::string RecoveryWriter::note() const {
  const std::lock_guard lock(mutex_);
  return note_;
}

void RecoveryWriter::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || inbox_; });
    if (!inbox_) return;
    const Recovery recovery = *std::exchange(inbox_, std::nullopt);
    lock.unlock();
    store_.save_recovery(recovery);
    lock.lock();
    note_ = store_.note();
  }
}

}  // namespace attn
