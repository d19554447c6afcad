// RecoveryWriter: writes the open work on a thread of its own after every step, so that a crash loses nothing
// and a slow disk stops no frame. Newest wins.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "app/store.h"

namespace attn {

class RecoveryWriter {
 public:
  explicit RecoveryWriter(Store store);
  ~RecoveryWriter();  // after the last one posted is written
  RecoveryWriter(const RecoveryWriter&) = delete;
  RecoveryWriter& operator=(const RecoveryWriter&) = delete;

  void post(Recovery recovery);
  std::string note() const;  // why the last one could not be written; empty when it was

 private:
  void work();

  Store store_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Recovery> inbox_;
  std::string note_;
  bool stopping_ = false;
  std::thread worker_;  // last: it uses everything above
};

}  // namespace attn
