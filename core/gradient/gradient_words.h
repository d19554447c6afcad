// What stages of gradients are called. Private to core/gradient.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

// "dQ", but "d scaled".
std::string gradient_symbol(const Stage& stage);

// A formula of core/operations/backward.h with the symbols of a stage and of its inputs among `stages`.
std::string written_out(const std::string& formula, const Stage& stage, const std::vector<Stage>& stages);

}  // namespace attn
