// The callback of whoever waits for a long read: it is told how far the read is, and may give it up.
#pragma once

#include <functional>

#include "core/system/error.h"

namespace attn {

// Told on the way which part has been read (0 … 1); says whether to give up. May be empty.
using ProgressCallback = std::function<bool(double done)>;

// Called between two pieces. Throws Error when it is given up.
inline void go_on(const ProgressCallback& progress, double done) {
  if (progress && progress(done)) throw Error("stopped before the end: nothing was opened");
}

}  // namespace attn
