// Memos: what frames have worked out and may ask for again. Whatever is missing is made anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "core/system/budget.h"

namespace attn {

struct Results;

// Bytes that a value holds on top of its own size.
template <class T>
requires requires(const T& value) {
  value.bytes();
}
std::size_t bytes_of(const T& value) {
  return value.bytes();
}
template <class T>
std::size_t bytes_of(const std::vector<T>& list) {
  std::size_t bytes = list.capacity() * sizeof(T);
  if constexpr (requires(const T& value) { bytes_of(value); })
    for (const T& value : list) bytes += bytes_of(value);
  return bytes;
}
template <class... T>
std::size_t bytes_of_all(const T&... values) {
  return (std::size_t{0} + ... + bytes_of(values));
}

// A memo is a value with `bytes()`, known by its type and, where there are several, by a name.
class Memos {
 public:
  explicit Memos(Budget& budget) : budget_(budget) {}
  ~Memos() { budget_.set(Budget::frames, 0); }
  Memos(const Memos&) = delete;
  Memos& operator=(const Memos&) = delete;

  // Empty before it is first asked for, or after it was dropped. Valid until end_frame().
  template <class Memo>
  Memo& of(const std::string& name = {}) {
    return *static_cast<Memo*>(kept<Memo>(name).memo.get());
  }
  // What is the same until the results are others: `make(memo, results)` makes it of the last, which it may
  // take from. `results` is not null.
  template <class Memo, class Make>
  Memo& of(const std::shared_ptr<const Results>& results, Make make) {
    CachedMemo& kept = this->kept<Memo>({});
    Memo& memo = *static_cast<Memo*>(kept.memo.get());
    if (kept.results.lock() == results) return memo;
    kept.results.reset();
    make(memo, *results);
    kept.results = results;
    return memo;
  }

  // Counts what is kept; while the budget is exceeded, what the frame did not ask for goes, the longest not
  // asked for first.
  void end_frame();

 private:
  using Key = std::pair<std::type_index, std::string>;
  struct CachedMemo {
    std::shared_ptr<void> memo;
    std::size_t (*bytes)(const void*);
    std::weak_ptr<const Results> results = {};
    std::uint64_t frame = 0;  // that asked for it last
  };
  template <class Memo>
  CachedMemo& kept(const std::string& name) {
    CachedMemo& kept = kept_[{typeid(Memo), name}];
    kept.frame = frame_;
    if (kept.memo) return kept;
    kept.memo = std::make_shared<Memo>();
    kept.bytes = [](const void* memo) { return sizeof(Memo) + static_cast<const Memo*>(memo)->bytes(); };
    return kept;
  }

  Budget& budget_;
  std::map<Key, CachedMemo> kept_;
  std::uint64_t frame_ = 1;
};

}  // namespace attn
