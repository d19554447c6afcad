// The reference: every operation in double with Eigen, rounded once to the stage's own precision.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/graph/graph.h"

namespace attn {

std::unique_ptr<Backend> make_reference_backend();

// Some rows of one operation's result, as one matrix: counted through the result's matrices (head·rows +
// row), ascending, at least one. It costs what the rows cost, or little more.
Tensor run_rows(const Operation& operation, Inputs inputs, std::span<const std::size_t> rows);

// One operation in double from double inputs.
Tensor64 run_in_double(const Operation& operation, std::span<const Tensor64> inputs);

// A whole graph in double end to end, nothing rounded between stages: one tensor per stage.
std::vector<Tensor64> evaluate_in_double(const Graph& graph);

}  // namespace attn
