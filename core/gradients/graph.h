// The graph of the workspace of gradients: the Pipeline's layer, a loss of its output, and the way back from
// it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/layer.h"
#include "core/document/layer_plan.h"
#include "core/document/plan.h"
#include "core/gradient/gradients.h"
#include "core/gradients/noise.h"

namespace attn {

struct GradientsPlaces {
  LayerStages layer;
  std::size_t part = 0;  // of the layer, its loss and its gradients
  LossKind kind = LossKind::ones;
  std::string instead = {};  // DocumentLoss::instead
  StageIndex loss = 0;
  StageIndex asked = 0;  // what the loss is made of besides the output: dO as given, the target or the labels
  Gradients gradients;
  // As the canvas shows them, each with a gradient: X and M; Q, K, V; parameters; the scores that the
  // weighting reads, weights, output.
  std::vector<StageIndex> tokens = {}, projected = {}, parameters = {}, attention = {};
  std::vector<std::optional<StageIndex>> products = {};  // number × gradient, by stage; where they are shown
  StageIndex wanted = 0;                                 // the weights that are wanted, 1×n×m
  std::array<NoiseStages, 2> noise = {};                 // with the scale, without it

  // What is shown beneath a stage: its gradient, or that times its numbers. None: it has none.
  std::optional<StageIndex> beneath(StageIndex stage) const {
    if (stage < products.size() && products[stage]) return products[stage];
    return gradients.find(stage);
  }
};

// Stages of the layer have the Pipeline's ids, so that what is pinned or typed there is here too; gradients
// are called d_ and the id of their stage. Its places are GradientsPlaces.
Built build_gradients(const Document& document, Address address = kLayerA);

inline constexpr Plan kGradientsPlan{
    .name = "gradients", .build = build_gradients, .given = given_layer, .base = &kLayerPlan};

}  // namespace attn
