// Leaving: a process that wants to end does, whatever its threads wait for.
#pragma once

#include <chrono>

namespace attn {

// How long quitting may take once everything is written, for which a disk may take as long again.
inline constexpr std::chrono::milliseconds kLeave{1000};

// From now on the process may end by itself for so long; then it is ended. Drivers may hang in
// any call, in those of their own cleaning up too.
void leave_within(std::chrono::milliseconds limit, int status = 0);

}  // namespace attn
