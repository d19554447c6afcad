// In which order the stages of two layers are compared, and which of them is the first that differs: one rule
// for the window and for the command.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/checks/array_difference.h"

namespace attn {

// A stage of either list, or of both: places in them.
struct StagePair {
  std::optional<std::size_t> a = {}, b = {};
};
// Those of A, and behind the stage before it each that only B has. Ids are without their layer's prefix.
std::vector<StagePair> paired_stages(const std::vector<std::string_view>& a,
                                     const std::vector<std::string_view>& b);

// What the numbers of a stage differ by, nothing where only one layer has them or in another shape: whether
// that is more than the tolerance.
inline bool differs(const std::optional<ArrayDifference>& difference) {
  return !difference || difference->beyond > 0;
}
// Of stages in that order the first that differs.
std::optional<std::size_t> first_that_differs(std::span<const std::optional<ArrayDifference>> differences);

}  // namespace attn
