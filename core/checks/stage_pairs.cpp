// Two lists of stages as one.
#include "core/checks/stage_pairs.h"

#include <algorithm>

namespace attn {

std::vector<StagePair> paired_stages(const std::vector<std::string_view>& a,
                                     const std::vector<std::string_view>& b) {
  std::vector<StagePair> pairs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto found = std::ranges::find(b, a[i]);
    pairs.push_back({.a = i, .b = {}});
    if (found != b.end()) pairs.back().b = static_cast<std::size_t>(found - b.begin());
  }
  auto behind = pairs.begin();
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto found = std::ranges::find(pairs, std::optional(i), &StagePair::b);
    behind = found != pairs.end() ? found + 1 : pairs.insert(behind, StagePair{.a = {}, .b = i}) + 1;
  }
  return pairs;
}

std::optional<std::size_t> first_that_differs(std::span<const std::optional<ArrayDifference>> differences) {
  const auto found = std::ranges::find_if(differences, differs);
  if (found == differences.end()) return std::nullopt;
  return static_cast<std::size_t>(found - differences.begin());
}

}  // namespace attn
