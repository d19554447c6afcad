// Whether what is measured is right: some rows of a program's last result against the reference's.
#pragma once

#include <string>

#include "core/backend/backend.h"
#include "core/graph/graph.h"

namespace attn {

// The stage that is looked at, which the program has to keep.
StageIndex checked_stage(const Graph& graph);

// Looks at the first, the middle and the last row of each matrix that the program left, unless the reference
// ran it or would take long for so few. Throws Error(Fault::device), naming the device, the cell and both
// numbers, where one is not right. `what`: "flash, n = 64".
void check_program(const Backend& backend, Program& program, const Graph& graph, const std::string& what);

}  // namespace attn
