// Budget: one number of bytes for everything that is kept only because it may be used again.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace attn {

// The evaluator's memo, the history, the device's buffers, its free memory, its programs and what frames have
// worked out each keep an account here. Whoever owns an account drops its own oldest things, on its own
// thread, while the sum is over the limit (programs cannot), except for a share that the history and the
// device may hold whatever the others do: when the current results alone exceed the limit, undo steps and the
// inputs of the next stage are still there. The clock orders uses across accounts. Thread-safe.
class Budget {
 public:
  enum Account { memo, history, device, frames, pool, programs, kAccounts };

  explicit Budget(std::size_t limit = std::size_t{512} << 20, std::size_t most_kept = std::size_t{2} << 30)
      : limit_(limit), most_kept_(most_kept) {}

  std::size_t limit() const { return limit_; }
  // Bytes of current results above which large ones are not kept but made again where somebody looks
  // (core/evaluate/bands.h).
  std::size_t most_kept() const { return most_kept_; }
  // What an account may hold although the sum is over the limit.
  std::size_t share(Account account) const {
    return account == history || account == device ? limit_ / 4 : 0;
  }
  void set(Account account, std::size_t bytes) { held_[account] = bytes; }
  std::size_t held(Account account) const { return held_[account]; }
  std::size_t total() const {
    std::size_t sum = 0;
    for (const auto& bytes : held_) sum += bytes;
    return sum;
  }
  bool over() const { return total() > limit_; }
  // The account's owner has to drop something; free memory is the device's.
  bool must_drop(Account account) const {
    const std::size_t free = account == device ? held(pool) : 0;
    return over() && held(account) + free > share(account);
  }

  std::uint64_t tick() { return ++clock_; }  // the time of a use

 private:
  std::size_t limit_, most_kept_;
  std::array<std::atomic<std::size_t>, kAccounts> held_{};
  std::atomic<std::uint64_t> clock_{0};
};

}  // namespace attn
