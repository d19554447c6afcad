// Store::Place: the place of one window among the recoveries, shared by the copies of its store: one of them
// is written by a thread of its own.
#pragma once

#include <mutex>

#include "app/store.h"

namespace attn {

class Store::Place {
 public:
  // One that was left; its mark stays.
  void take(RecoverySlot slot) {
    const std::lock_guard lock(mutex_);
    computing_ = slot.computing();
    slot_ = std::make_shared<const RecoverySlot>(std::move(slot));
  }
  // Taken when there is something to keep; by the thread that writes, as the folder may keep it waiting.
  std::shared_ptr<const RecoverySlot> slot(const std::string& folder) {
    if (const auto held = this->held(); held && !held->gone()) return held;
    auto fresh = std::make_shared<const RecoverySlot>(RecoverySlot::free_in(folder));
    const std::lock_guard lock(mutex_);
    fresh->set_computing(computing_);
    return slot_ = std::move(fresh);
  }
  // What is beside the slot's file; for the thread that writes alone.
  BlockFolder& blocks(const RecoverySlot& slot) {
    const std::string folder = blocks_of(slot.file());
    if (!blocks_ || blocks_->path() != folder) blocks_.emplace(folder);
    return *blocks_;
  }
  void set_computing(bool computing) {
    const std::lock_guard lock(mutex_);
    computing_ = computing;
    if (slot_) slot_->set_computing(computing);
  }

 private:
  std::shared_ptr<const RecoverySlot> held() const {
    const std::lock_guard lock(mutex_);
    return slot_;
  }

  mutable std::mutex mutex_;
  std::shared_ptr<const RecoverySlot> slot_;  // null until there is something to keep
  bool computing_ = false;
  std::optional<BlockFolder> blocks_;
};

}  // namespace attn
