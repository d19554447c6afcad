// The opened number of costs in words.
#include "app/workspaces/cost/view.h"

#include <algorithm>

namespace attn {
namespace {

constexpr std::string_view kAll = "all", kMemory = "memory";

}  // namespace

void read_words(const OpenedCostField& field, const ValueWords& words, OpenedCost& value) {
  constexpr const char* kTakes = "a mechanism and a stage, all or memory, as in flash scores";
  if (words.size() != 2) refuse_words(field.text, words, kTakes);
  const auto mechanism = std::ranges::find(kMechanismWords, words[0]);
  const auto stage = std::ranges::find(kCostStageWords, words[1]);
  const bool one = stage != kCostStageWords.end();
  if (mechanism == kMechanismWords.end() || (!one && words[1] != kAll && words[1] != kMemory))
    refuse_words(field.text, words, kTakes);
  value = {.mechanism = static_cast<MechanismKind>(mechanism - kMechanismWords.begin()),
           .held = words[1] == kMemory};
  if (one) value.stage = static_cast<CostStage>(stage - kCostStageWords.begin());
}

std::string words_of(const OpenedCostField&, const OpenedCost& value) {
  const std::string mechanism(kMechanismWords[static_cast<std::size_t>(value.mechanism)]);
  return mechanism + ' ' +
         std::string(value.held    ? kMemory
                     : value.stage ? kCostStageWords[static_cast<std::size_t>(*value.stage)]
                                   : kAll);
}

}  // namespace attn
