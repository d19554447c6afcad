// The reference: every operation in double with Eigen, rounded once to the stage's own precision.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/graph.h"

namespace attn {

std::unique_ptr<Backend> make_reference_backend();

// One operation in double from double inputs.
Tensor64 run_in_double(const Operation& operation, std::span<const Tensor64> inputs);

// A whole graph in double end to end, nothing rounded between stages: one tensor per stage.
std::vector<Tensor64> evaluate_in_double(const Graph& graph);

}  // namespace attn
