// What feature maps are called, and how many random features there are at most.
#pragma once

#include "core/graph/fields.h"
#include "core/operations/features.h"

namespace attn::feature_field {

inline constexpr std::size_t kMostRandom = 1024;

inline constexpr ChoiceField<FeatureKind, 3> kind{
    {.key = "features",
     .title = "φ played",
     .sentence = "what the linear attention that is played takes queries and keys to",
     .change = "φ "},
    {{{"elu", "elu + 1", FeatureKind::elu_plus_one},
      {"relu", "ReLU", FeatureKind::relu},
      {"random", "features", FeatureKind::random}}}};

}  // namespace attn::feature_field
