// A position encoding in words, as `--position` and `encode` take it.
#pragma once

#include <string>

#include "core/attention/position.h"
#include "core/graph/fields.h"

namespace attn {

// The kind; behind it its first settings in their order, those that have to be said first; any setting as
// KEY=VALUE, and switches by their key: "rope:half:500:part=4". Throws Error(Fault::option), naming the
// nearest kind.
Position read_position(const FieldText& option, const std::string& word);

}  // namespace attn
