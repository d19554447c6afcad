// Document: everything the user edits. One part per workspace that has one.
#pragma once

#include "core/attention/layer.h"
#include "core/compare/compare.h"
#include "core/cost/study.h"
#include "core/heads/heads.h"
#include "core/kernels/kernels.h"
#include "core/positions/positions.h"
#include "core/softmax/softmax.h"

namespace attn {

struct Document {
  LayerSpec layer = {};
  PositionsSpec positions = {};
  KernelsSpec kernels = {};
  SoftmaxSpec softmax = {};
  CostStudy cost = {};
  HeadsSpec heads = {};
  CompareSpec compare = {};
  LayerSpec b = {}, c = {}, d = {};           // beside A: those that compare.variants says there are
  std::vector<StageOverride> overrides = {};  // of any workspace's stages

  bool operator==(const Document& other) const;
};

}  // namespace attn
