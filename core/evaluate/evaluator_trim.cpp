// What an evaluator forgets: whatever was used longest ago, within the budget.
#include <algorithm>

#include "core/evaluate/evaluator.h"

namespace attn {

void Evaluator::drop(Entries::iterator entry) {
  const auto [first, last] = index_.equal_range(entry->hash);
  for (auto it = first; it != last; ++it)
    if (it->second == entry) {
      index_.erase(it);
      break;
    }
  account(-entry->bytes());
  entries_.erase(entry);
}

// Whatever was used longest ago goes first, a result or a device buffer: the budget's clock dates both.
// Results that alone exceed the budget leave the device its share, or every stage would upload its inputs
// again.
void Evaluator::trim(const Results& current) {
  const auto held = [&](const Entry& entry) {
    return std::ranges::any_of(current.outputs, [&](const Tensor& t) { return t.id() == entry.output.id(); });
  };
  auto candidate = entries_.end();  // everything from here on is held by the current results
  while (budget_.over()) {
    while (candidate != entries_.begin() && held(*std::prev(candidate))) --candidate;
    const auto buffer = budget_.must_drop(Budget::device) ? backend_.oldest_use() : std::nullopt;
    const bool memo_left = candidate != entries_.begin();
    if (!memo_left && !buffer) return;
    if (buffer && (!memo_left || *buffer < std::prev(candidate)->used))
      backend_.release_oldest();
    else
      drop(std::prev(candidate));
  }
}

}  // namespace attn
