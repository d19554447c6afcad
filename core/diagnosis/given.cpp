// Stages of yours and ours by their ids.
#include "core/diagnosis/given.h"

#include <algorithm>

namespace attn {
namespace {

const Tensor* find_numbers(const std::vector<GivenStage>& stages, std::string_view id) {
  const auto found = std::ranges::find(stages, id, &GivenStage::id);
  return found == stages.end() ? nullptr : &found->numbers;
}

}  // namespace

const Tensor* GivenNumbers::find_yours(std::string_view id) const {
  return find_numbers(yours, id);
}

const Tensor* GivenNumbers::find_ours(std::string_view id) const {
  return find_numbers(ours, id);
}

}  // namespace attn
