// A device that the reference steps in for when it fails at work.
#pragma once

#include <memory>

#include "core/backend/backend.h"

namespace attn {

// Computes on the device until that throws Error(Fault::device); then, and from there on, on the reference,
// with name() and failure() saying so. What the device was asked to keep to itself cannot be computed with
// elsewhere: that failure is thrown on.
std::unique_ptr<Backend> with_fallback(std::unique_ptr<Backend> device);

}  // namespace attn
