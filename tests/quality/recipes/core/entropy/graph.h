// The graph of the workspace of entropy: the Pipeline's layer, its weights once more at many temperatures,
// and how evenly they are shared out there.
#pragma once

#include <vector>

#include "core/document/layer_plan.h"

namespace attn {

struct EntropyPlaces {
  std::vector<float> temperatures;  // from `from` to `to` by a fixed ratio
  std::vector<StageIndex> entropy;  // h×1×1 at each of them: of the weights there, the mean of all queries
};

// Stages of the layer have the Pipeline's ids, so that what is typed there is here too. Its places are
// EntropyPlaces.
Built build_entropy(const Document& document, Address address = kLayerA);

inline constexpr Plan kEntropyPlan{
    .name = "entropy", .build = build_entropy, .given = given_layer, .base = &kLayerPlan};

}  // namespace attn
