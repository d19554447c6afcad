// Linked highlight: what a number was made from and what it goes into.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// The nearest stages on screen that `spot` was made from and goes into, looked through those that are not:
// the closed steps of the softmax, the mask, numbers as computed under an override.
Links make_links(const Results& results, const Spot& spot, const View& view);

}  // namespace attn
