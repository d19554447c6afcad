// How large gradients are: their norms, as parts of that of dO.
#pragma once

#include <functional>
#include <vector>

#include "core/gradients/graph.h"

namespace attn {

// The root of the sum of the squares, in double, without overflow: of a whole stack, and of each of its rows,
// across its matrices.
double norm_of(const Tensor& numbers);
std::vector<double> row_norms(const Tensor& numbers);

struct StageSize {
  StageIndex of = 0;  // the stage that the gradient is of
  double part = 0;    // its norm ÷ that of dO; NaN where one of them is none, or not here
};

struct GradientSizes {
  std::vector<StageSize> stages = {};  // in the order of the way back: dO first, parameters last
  std::vector<double> tokens = {};     // of each row of dX, as a part of the norm of dO
  std::size_t bytes() const {
    return stages.capacity() * sizeof(StageSize) + tokens.capacity() * sizeof(double);
  }
};
// Of the stages that the canvas shows, of the norm of each gradient, NaN where it is not known, and of the
// norms of the rows of dX.
GradientSizes sizes_of(const Graph& graph, const GradientsPlaces& places,
                       const std::function<double(StageIndex)>& norm, std::vector<double> rows);

// What a size is called. `below` and `above`: the parts of dO's norm from which it is.
enum class SizeName { usual, vanishing, exploding, dead, unknown };
SizeName size_name(double part, double below, double above);

// Where an axis of sizes ends, from 1 ÷ it to it: 3, 10, 30, … so that all finite ones and both bounds are
// on it, at most 1e9.
double size_reach(const GradientSizes& sizes, double below, double above);

}  // namespace attn
