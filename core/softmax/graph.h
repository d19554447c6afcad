// The graph of the workspace of the softmax: one row of scores on its way to weights and their Jacobian, the
// same row under other weightings, at other temperatures and in other numbers, and products of random
// vectors.
#pragma once

#include <optional>
#include <vector>

#include "core/document/plan.h"
#include "core/softmax/part.h"
#include "core/softmax/row.h"

namespace attn {

// The same row in another number format.
struct FormatStages {
  std::size_t part = 0;
  StageIndex scores = 0;
  std::optional<StageIndex> maximum = {}, shifted = {};  // where the maximum is subtracted
  StageIndex shares = 0, sum = 0, weights = 0;
};

// A row for each temperature, from kLeastTemperature to kMostTemperature by a fixed ratio.
struct CurveStages {
  std::size_t part = 0;
  StageIndex inverse = 0;  // 1/T, one a row
  StageIndex weights = 0;
  StageIndex entropy = 0;
};
inline constexpr std::size_t kTemperatures = 121;
inline constexpr double kLeastCurve = 0.05, kMostCurve = 20;
double curve_temperature(std::size_t row);

// Products of random vectors of the widths 1, 2, 4 … 1024, and of today's.
struct ProductStages {
  std::size_t part = 0;
  std::vector<std::size_t> widths;
  std::vector<StageIndex> of_width;                // rows×keys each
  StageIndex raw = 0, scaled = 0;                  // of today's width; divided by √d_k
  StageIndex raw_largest = 0, scaled_largest = 0;  // the largest weight of each row's softmax
};

struct SoftmaxPlaces {
  std::size_t part = 0;                      // of the row
  Labels keys = {};                          // of the row; empty: indices
  std::optional<LayerRow> from = {};         // whose row it is, where it is the layer's
  StageIndex scores = 0;                     // as given, or picked from the layer
  std::optional<StageIndex> mask = {};       // of own scores, where keys are hidden
  StageIndex input = 0, tempered = 0;        // with −∞ where keys are hidden; divided by T
  WeightingStages softmax = {};              // of temperature 0 a hard one
  StageIndex entropy = 0;                    // of its weights
  std::optional<StageIndex> jacobian = {};   // up to kMostJacobian keys
  std::vector<WeightingStages> others = {};  // as chosen, without the softmax
  FormatStages format = {};
  CurveStages curves = {};
  ProductStages products = {};
};
inline constexpr std::size_t kMostJacobian = 512;

// Its places are SoftmaxPlaces.
Built build_softmax(const Document& document, Address address = kLayerA);
Graph given_softmax(const Document& document);

inline constexpr Plan kSoftmaxPlan{"softmax", build_softmax, given_softmax};

}  // namespace attn
