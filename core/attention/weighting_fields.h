// The weightings as words of a field.
#pragma once

#include "core/attention/weighting.h"
#include "core/graph/fields.h"

namespace attn {

// The first N of them.
template <std::size_t N>
constexpr ChoiceField<Weighting, N> weighting_choice(FieldText text) {
  ChoiceField<Weighting, N> field{text, {}};
  for (std::size_t i = 0; i < N; ++i)
    field.words[i] = {kWeightings[i].word, kWeightings[i].title, static_cast<Weighting>(i)};
  return field;
}

}  // namespace attn
