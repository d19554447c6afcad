// The list of known mistakes: in the order in which they are made where there are several, which is that of
// the stages but for masks, whose rules change before what is done with them; at the end what is told from
// the numbers beside everything else.
#include <algorithm>

#include "core/diagnosis/mistake.h"
#include "core/diagnosis/mistakes_heads.h"
#include "core/diagnosis/mistakes_masks.h"
#include "core/diagnosis/mistakes_positions.h"
#include "core/diagnosis/mistakes_scores.h"

namespace attn {
namespace {

template <std::size_t... Sizes>
constexpr auto joined(const std::array<Mistake, Sizes>&... lists) {
  std::array<Mistake, (Sizes + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(lists.begin(), lists.end(), next)), ...);
  return all;
}

constexpr auto kMistakes =
    joined(kHeadMistakes, kPositionMistakes, kScoreMistakes, kMaskMistakes, kOutputMistakes, kToldMistakes);

}  // namespace

std::span<const Mistake> known_mistakes() {
  return kMistakes;
}

const Mistake* find_mistake(std::string_view word) {
  const auto all = known_mistakes();
  const auto found = std::ranges::find(all, word, &Mistake::word);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace attn
