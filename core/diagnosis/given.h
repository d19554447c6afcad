// Another program's numbers, and ours beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"

namespace attn {

// A stage that a file has: its id in a layer, and its numbers.
struct GivenStage {
  std::string id;
  Tensor numbers;
  bool operator==(const GivenStage&) const = default;
};

struct Tolerance {
  double absolute = 2e-6, relative = 2e-5;  // equal: |yours − ours| ≤ absolute + relative·|ours|
  bool operator==(const Tolerance&) const = default;
};

// The stages that a person gave, and what we compute in their place: what a mistake's numbers are told from
// (a temperature by fitting, which weights dropout left).
struct GivenNumbers {
  std::vector<GivenStage> yours = {};
  std::vector<GivenStage> ours = {};  // the same ids, in the same order
  const Tensor* find_yours(std::string_view id) const;
  const Tensor* find_ours(std::string_view id) const;
};

}  // namespace attn
