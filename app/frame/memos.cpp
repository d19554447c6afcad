// Drops memos when a frame ends: the longest unused first, while the budget is exceeded.
#include "app/frame/memos.h"

#include <algorithm>

namespace attn {

void Memos::end_frame() {
  std::size_t bytes = 0;
  for (const auto& [key, kept] : kept_) bytes += kept.bytes(kept.memo.get());
  budget_.set(Budget::frames, bytes);
  while (budget_.must_drop(Budget::frames)) {
    const auto oldest =
        std::ranges::min_element(kept_, {}, [](const auto& entry) { return entry.second.frame; });
    if (oldest == kept_.end() || oldest->second.frame == frame_) break;
    bytes -= oldest->second.bytes(oldest->second.memo.get());
    kept_.erase(oldest);
    budget_.set(Budget::frames, bytes);
  }
  ++frame_;
}

}  // namespace attn
