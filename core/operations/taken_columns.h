// Results that are columns of what they are made from.
#pragma once

#include <optional>

#include "core/operations/operation.h"

namespace attn {

// The first of the columns of its input that the result is, and nothing else; none where it is made
// otherwise.
std::optional<std::size_t> first_taken(const Operation& operation);

}  // namespace attn
