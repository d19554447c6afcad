// A contender by its graph, for those who measure what is no row of measure_subjects().
#pragma once

#include <functional>
#include <string>

#include "core/measure/measure.h"

namespace attn {

using ContenderGraph = std::function<Graph(std::size_t n, LayerInputs inputs)>;

Contender contender_of(const std::string& name, const ContenderGraph& build);

}  // namespace attn
