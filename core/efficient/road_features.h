// Feature maps of a whole matrix, in double: what the roads of linear attention are shown by.
#pragma once

#include <vector>

#include "core/operations/feature_directions.h"
#include "core/operations/features.h"
#include "core/tensor/tensor.h"

namespace attn {

// What a row of queries or keys is multiplied by before its features are taken: of random ones the root of
// the scores' scale, so that products of features stand for exp(scale·q·k).
double feature_scale(FeatureKind kind, double score_scale);

// φ of each of `rows`, which are `width` wide. `directions` of random features alone.
std::vector<double> features_of_rows(FeatureKind kind, const std::vector<double>& rows, std::size_t width,
                                     double scale, const Tensor& directions);

}  // namespace attn
