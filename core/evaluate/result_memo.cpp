// A list of results in the order of use, and an index by hash to find them in.
#include "core/evaluate/result_memo.h"

#include <algorithm>

namespace attn {
namespace {

// Like FNV-1a, over the ids and the kind of operation, without its parameters: find() compares those anyway.
std::size_t hash_of(const Operation& operation, std::span<const TensorId> inputs) {
  std::size_t hash = operation.index();
  for (const TensorId id : inputs) hash = (hash ^ id) * 0x100000001B3ull;
  return hash;
}

}  // namespace

ResultMemo::Entry* ResultMemo::find(const Operation& operation, std::span<const TensorId> inputs) {
  const auto [first, last] = index_.equal_range(hash_of(operation, inputs));
  for (auto it = first; it != last; ++it) {
    Entry& entry = *it->second;
    if (std::ranges::equal(entry.inputs, inputs) && entry.operation == operation) return &entry;
  }
  return nullptr;
}

ResultMemo::Entries::iterator ResultMemo::place_of(Entry& entry) {
  const auto [first, last] = index_.equal_range(entry.hash);
  return std::ranges::find_if(first, last, [&](const auto& alike) { return &*alike.second == &entry; })
      ->second;
}

void ResultMemo::use(Entry& entry) {
  entry.used = budget_.tick();
  entries_.splice(entries_.begin(), entries_, place_of(entry));
}

ResultMemo::Entry& ResultMemo::remember(Entry entry) {
  entry.hash = hash_of(entry.operation, entry.inputs);
  entry.used = budget_.tick();
  const auto [first, last] = index_.equal_range(entry.hash);
  if (std::distance(first, last) >= most_alike_)
    drop(std::ranges::min_element(first, last, {}, [](const auto& alike) {
           return alike.second->used;
         })->second);
  account(entry.bytes());
  entries_.push_front(std::move(entry));
  index_.emplace(entries_.front().hash, entries_.begin());
  return entries_.front();
}

void ResultMemo::account(std::ptrdiff_t more) {
  bytes_ += static_cast<std::size_t>(more);
  budget_.set(Budget::memo, bytes_);
}

void ResultMemo::drop(Entries::iterator entry) {
  const auto [first, last] = index_.equal_range(entry->hash);
  index_.erase(std::find_if(first, last, [&](const auto& alike) { return alike.second == entry; }));
  account(-entry->bytes());
  entries_.erase(entry);
}

void ResultMemo::clear() {
  entries_.clear();
  index_.clear();
  bytes_ = 0;
  budget_.set(Budget::memo, 0);
}

void ResultMemo::drop_unread() {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto unread = entry++;
    if (!unread->summary) drop(unread);
  }
}

bool ResultMemo::drop_older_than(std::uint64_t time) {
  if (entries_.empty() || entries_.back().used >= time) return false;
  drop(std::prev(entries_.end()));
  return true;
}

// Whatever was used longest ago goes first, a result or a device buffer: the budget's clock dates both.
// Results that alone exceed the budget leave the device its share, or every stage would upload its inputs
// again.
void ResultMemo::trim(std::span<const StageResult> current, Backend& backend) {
  const auto held = [&](const Entry& entry) {
    return std::ranges::any_of(current, [&](const StageResult& r) { return r.id() == entry.output.id(); });
  };
  auto candidate = entries_.end();  // everything from here on is held by the current results
  while (budget_.over()) {
    while (candidate != entries_.begin() && held(*std::prev(candidate))) --candidate;
    const auto buffer = budget_.must_drop(Budget::device) ? backend.oldest_use() : std::nullopt;
    const bool memo_left = candidate != entries_.begin();
    if (!memo_left && !buffer) return;
    if (buffer && (!memo_left || *buffer < std::prev(candidate)->used))
      backend.release_oldest();
    else
      drop(std::prev(candidate));
  }
}

}  // namespace attn
