// In which order the stages of two layers are compared, and which of them is the first that differs: one rule
// for the window and for the command.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/array_difference.h"

namespace attn {

// A stage of either list, or of both: places in them.
struct StagePair {
  std::optional<std::size_t> a = {}, b = {};
};
// Those of A, and behind the stage before it each that only B has. Ids are without their layer's prefix.
std::vector<StagePair> paired_stages(const std::vector<std::string_view>& a,
                                     const std::vector<std::string_view>& b);

// Of stages in that order what their numbers differ by, nothing where only one has them or in another shape:
// the first that has nothing, or numbers beyond the tolerance.
std::optional<std::size_t> first_that_differs(std::span<const std::optional<ArrayDifference>> differences);

}  // namespace attn
