// The numbers of a stage as they stand on the screen.
#pragma once

#include "core/document/edit.h"
#include "core/evaluate/results.h"

namespace attn {

// Those that were computed; of a given matrix the document's, which may be newer, unless the layer rounds it
// and has. Empty where there are none yet.
Tensor shown_numbers(const Graph& graph, StageIndex stage, const Document& now, const Results* results);

}  // namespace attn
