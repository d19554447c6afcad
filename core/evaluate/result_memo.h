// ResultMemo: the results that an evaluator remembers, by operation and inputs, the least recently used the
// first to go.
#pragma once

#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/backend/backend.h"
#include "core/evaluate/stage_result.h"
#include "core/evaluate/summary.h"
#include "core/system/budget.h"

namespace attn {

class ResultMemo {
 public:
  struct Entry {
    Operation operation;
    std::vector<TensorId> inputs;
    Tensor output;
    double seconds;                       // that it took
    std::optional<Summary> summary = {};  // once the output is here
    std::size_t hash = 0;                 // set when it is remembered, as is the next
    std::uint64_t used = 0;               // by the budget's clock

    std::ptrdiff_t bytes() const {
      const bool pooled = summary && summary->pools;
      return static_cast<std::ptrdiff_t>(output.bytes() + (pooled ? summary->pools->bytes() : 0));
    }
  };

  // What is remembered counts as Budget::memo. `most_alike`: results of one kind of operation from the same
  // inputs: a parameter that is dragged leaves one a frame, and to find one all are looked at.
  ResultMemo(Budget& budget, std::ptrdiff_t most_alike) : budget_(budget), most_alike_(most_alike) {}
  ~ResultMemo() { budget_.set(Budget::memo, 0); }
  ResultMemo(const ResultMemo&) = delete;
  ResultMemo& operator=(const ResultMemo&) = delete;

  // Null: it is not remembered. What is returned stays where it is until it is dropped.
  Entry* find(const Operation& operation, std::span<const TensorId> inputs);
  void use(Entry& entry);
  Entry& remember(Entry entry);
  // The entry takes so many bytes more than when it was remembered.
  void account(std::ptrdiff_t more);

  void clear();
  // Those whose output nobody has read.
  void drop_unread();
  // The one used longest ago, where that was before `time`; false: there is none.
  bool drop_older_than(std::uint64_t time);
  // Results and buffers of the device, while the budget is exceeded; never outputs of `current`.
  void trim(std::span<const StageResult> current, Backend& backend);

 private:
  using Entries = std::list<Entry>;  // most recently used first
  Entries::iterator place_of(Entry& entry);
  void drop(Entries::iterator entry);

  Budget& budget_;
  std::ptrdiff_t most_alike_;
  Entries entries_;
  std::unordered_multimap<std::size_t, Entries::iterator> index_;
  std::size_t bytes_ = 0;
};

}  // namespace attn
