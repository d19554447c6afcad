// NumberFiles: numbers that are saved under a free name, written on a thread of its own.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/desk.h"
#include "core/system/worker.h"

namespace attn {

class NumberFiles {
 public:
  // `wake` is called on the thread when one is written, or could not be; may be empty.
  explicit NumberFiles(std::function<void()> wake) : wake_(std::move(wake)) {}

  void save(SaveNumbers numbers);
  struct Outcome {
    std::string said;  // "scores saved: …"
    bool trouble = false;
  };
  std::optional<Outcome> take();  // of the one that was done first
  void wait() const { worker_.wait_idle(); }

 private:
  std::function<void()> wake_;
  std::mutex mutex_;
  std::vector<Outcome> outcomes_;
  std::size_t count_ = 0;
  Worker worker_;  // last: its thread uses everything above
};

}  // namespace attn
