// Arrays as frameworks hold them, with an axis for the batch before all others.
#pragma once

#include <string>

#include "core/io/npy.h"

namespace attn {

// Takes a leading axis of 1 away from an array of one dimension more than `most`. Throws Error, beginning
// with `what` ("the array q"), where the batch holds several.
void take_batch_away(Array& array, std::size_t most, const std::string& what);

}  // namespace attn
