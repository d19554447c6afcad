// The graph of two layers: A with the ids of the Pipeline, the layer compared with it, and their difference
// at every stage that both have.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/compare/edit.h"
#include "core/document/layer_plan.h"

namespace attn {

// A stage of either layer, or of both: then with its difference, if the shapes are equal. Scores that only
// one layer masks are compared with those that the other's softmax reads.
struct ComparedStage {
  std::optional<StageIndex> a = {}, b = {}, difference = {};
  bool of_b = false;  // that A has is another stage
  // Of A where it has the stage.
  StageIndex either() const { return a && !of_b ? *a : *b; }
};

struct ComparePlaces {
  std::vector<ComparedStage> stages;  // the traced ones, in the order of the layers
};
// A and the compared layer that is shown; its places are ComparePlaces.
Built build_compare(const Document& document, Address = kLayerA);

inline constexpr Plan kComparePlan{
    .name = "compare", .build = build_compare, .given = given_layer, .base = &kLayerPlan};

}  // namespace attn
