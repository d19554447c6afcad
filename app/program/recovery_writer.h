// RecoveryWriter: writes the open work on a thread of its own, so that a crash loses next to nothing and a
// slow disk stops no frame. Newest wins.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "app/program/store.h"

namespace attn {

// How often the work is written at the most. An edit is on the disk so long after it was made, and after one
// write; where that write takes longer than this, after three of them: the one that goes on, its rest, and
// its own. What a drag changes meanwhile makes no more writes.
inline constexpr std::chrono::milliseconds kRecoveryPeriod{100};

class RecoveryWriter {
 public:
  // `told` is called on the thread when note() has become another; may be empty.
  explicit RecoveryWriter(Store store, std::function<void()> told = {},
                          std::chrono::milliseconds period = kRecoveryPeriod);
  ~RecoveryWriter();  // after the last one posted is written
  RecoveryWriter(const RecoveryWriter&) = delete;
  RecoveryWriter& operator=(const RecoveryWriter&) = delete;

  // One that is written already is written no second time.
  void post(Recovery recovery);
  // Until the last one posted is written or has failed, at most this long, whatever the period is; whether it
  // is written.
  bool finish(std::chrono::milliseconds limit);
  std::string note() const;  // why the last one could not be written; empty when it was
  std::optional<Recovery> written() const;

 private:
  void work();
  void write(std::unique_lock<std::mutex>& lock);

  Store store_;
  std::function<void()> told_;
  std::chrono::milliseconds period_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Recovery> inbox_, latest_, written_;  // waiting; posted last; on the disk
  std::string note_;
  bool stopping_ = false, hurry_ = false, writing_ = false;
  std::thread worker_;  // last: it uses everything above
};

}  // namespace attn
