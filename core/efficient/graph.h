// The graph of the workspace of efficient attention: the Pipeline's layer, of its first tokens where it has
// many, and the roads around its n².
#pragma once

#include "core/attention/layer.h"
#include "core/document/layer_plan.h"
#include "core/document/plan.h"
#include "core/efficient/part.h"

namespace attn {

// A road on the device: a row for each query of each head, whose first columns are its output.
struct RoadStage {
  Road road = Road::full;
  StageIndex stage = 0;
};

struct EfficientPlaces {
  LayerStages layer;
  LayerSpec shown = {};               // that layer
  std::vector<RoadStage> roads = {};  // those that the layer can go
  std::size_t part = 0;
  std::size_t tokens_of = 0;  // the layer's queries or keys, where the first of them alone are here; else 0
};

// Its places are EfficientPlaces.
Built build_efficient(const Document& document, Address address = kLayerA);

inline constexpr Plan kEfficientPlan{
    .name = "efficient", .build = build_efficient, .given = given_layer, .base = &kLayerPlan};

}  // namespace attn
