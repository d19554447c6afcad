// Store::Place: the place of one window among the recoveries, shared by the copies of its store: one of them
// is written by a thread of its own.
#pragma once

#include <atomic>
#include <mutex>

#include "app/store.h"

namespace attn {

class Store::Place {
 public:
  void take(RecoverySlot slot) {
    const std::lock_guard lock(mutex_);
    slot_ = std::make_shared<const RecoverySlot>(std::move(slot));
  }
  // Taken when there is something to keep; by the thread that writes, as the folder may keep it waiting.
  std::shared_ptr<const RecoverySlot> slot(const std::string& folder) {
    if (const auto held = this->held(); held && !held->gone()) return held;
    take(RecoverySlot::free_in(folder));
    set_computing(computing_);
    return held();
  }
  void set_computing(bool computing) {
    computing_ = computing;
    if (const auto held = this->held()) held->set_computing(computing);
  }

 private:
  std::shared_ptr<const RecoverySlot> held() const {
    const std::lock_guard lock(mutex_);
    return slot_;
  }

  mutable std::mutex mutex_;
  std::shared_ptr<const RecoverySlot> slot_;  // null until there is something to keep
  std::atomic<bool> computing_ = false;
};

}  // namespace attn
