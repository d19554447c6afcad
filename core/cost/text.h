// Counts as text for other programs.
#pragma once

#include <string>

#include "core/cost/count.h"

namespace attn {

// {"shape": {all that the counts depend on, by the names of the options}, "stages": [{"name", "operations",
// "bytes_moved", "bytes_held"}], "operations", "parameters": {"attention", "feed_forward"},
// "cache_bytes_per_token", "crossovers"}: stages of one layer, the rest of all layers.
std::string cost_json(const CostSpec& spec);
// A line for each stage of one layer, behind a head.
std::string cost_csv(const CostSpec& spec);

}  // namespace attn
