// Documents held against the limits. Edits, and readers and writers of files, ask the same numbers: what one
// of them takes, the others take too, and what can be made can be saved and opened again.
#pragma once

#include "core/graph/limits.h"

namespace attn {

struct Document;

// Throws Error with the place and what would do ("layer.tokens entry 3 is longer than 4096 bytes") unless
// every field is what a session may say, and there is no more of anything than the above.
void check_limits(const Document& document);

}  // namespace attn
