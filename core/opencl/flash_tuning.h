// Which tiles flash attention is fastest by on a device.
#pragma once

#include <functional>

#include "core/backend/backend.h"

namespace attn::opencl {

// Of the tiles that the device can go by: those that it goes by now, unless others are clearly faster. Each
// is held against the reference before it is timed; they are timed in turn, for less than 2 s in all. Throws
// Error(Fault::device) where the present ones are wrong. `clock`: seconds.
FlashTiles tuned_flash(Backend& device, const std::function<double()>& clock);

}  // namespace attn::opencl
