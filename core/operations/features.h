// Feature maps: what linear attention takes queries and keys to, so that products of features stand for
// exponentials of scores.
#pragma once

#include "core/operations/traits.h"

namespace attn {

enum class FeatureKind {
  elu_plus_one,  // x + 1 above 0, else exp(x) (Katharopoulos et al. 2020)
  relu,          // max(0, x)
  random,        // exp(w·x − ‖x‖²/2) ÷ √R for each of R directions w (Choromanski et al. 2021)
};

// Inputs X (s×n×d) and, of random features alone, their directions W (1×d×R). Result s×n×d, or s×n×R: the
// features of each row of scale·X.
struct FeatureMap {
  static constexpr const char* kName = "feature_map";
  FeatureKind kind = FeatureKind::elu_plus_one;
  double scale = 1;
  bool operator==(const FeatureMap&) const = default;
};

// What flows back to X, of its shape. Inputs: those of the forward operation, its result, and what flows in.
// At the bend of ReLU nothing flows.
struct FeatureMapGradient {
  static constexpr const char* kName = "feature_map_gradient";
  FeatureMap forward = {};
  bool operator==(const FeatureMapGradient&) const = default;
};

}  // namespace attn
