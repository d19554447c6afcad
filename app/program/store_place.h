// Store::Place: the place of one window among the recoveries, and its list of recent files, shared by the
// copies of its store: threads of their own write one of them, and read with another what was left.
#pragma once

#include <mutex>

#include "app/program/store.h"

namespace attn {

class Store::Place {
 public:
  // The list, for whoever holds its lock.
  struct Recent {
    std::unique_lock<std::mutex> lock;
    std::vector<std::string>& files;
  };
  Recent recent() { return {std::unique_lock(recent_mutex_), recent_}; }

  // One that was left; its mark stays. Returns the one before; null: there was none.
  std::shared_ptr<const RecoverySlot> take(std::shared_ptr<const RecoverySlot> slot) {
    const std::lock_guard lock(mutex_);
    computing_ = slot->computing();
    return std::exchange(slot_, std::move(slot));
  }
  // Null until there is something to keep.
  std::shared_ptr<const RecoverySlot> held() const {
    const std::lock_guard lock(mutex_);
    return slot_;
  }
  // Taken when there is something to keep; by the thread that writes, as the folder may keep it waiting.
  std::shared_ptr<const RecoverySlot> slot(const std::string& folder) {
    if (const auto held = this->held(); held && !held->gone()) return held;
    auto fresh = std::make_shared<const RecoverySlot>(RecoverySlot::free_in(folder));
    const std::lock_guard lock(mutex_);
    fresh->set_computing(computing_);
    return slot_ = std::move(fresh);
  }
  // What belongs to the slot's file; for the thread that writes alone.
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
  std::mutex recent_mutex_;
  std::vector<std::string> recent_;
  mutable std::mutex mutex_;  // of what follows
  std::shared_ptr<const RecoverySlot> slot_;
  bool computing_ = false;
  std::optional<BlockFolder> blocks_;
};

}  // namespace attn
