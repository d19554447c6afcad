// What would become of a layer's weights if one thing were done otherwise.
#pragma once

#include "core/edits/layer_changes.h"
#include "core/tensor/tensor.h"

namespace attn {

inline constexpr std::size_t kMostWeights = 1 << 12;  // of a layer that is run while a frame is drawn

// The weights of layer A with the change, h×n×m, by the reference. Empty where the change is made already or
// cannot be, and of a layer with more weights than kMostWeights.
Tensor weights_if(const Document& document, const LayerChange& change);

// The weight that differs most between two tensors of one shape, among the rows of a head; a row of its own
// choosing, or the given one. NaN differs from nothing.
struct MovedWeight {
  Cell at;
  double now = 0, then = 0;
};
MovedWeight most_moved(const Tensor& now, const Tensor& then, std::size_t head,
                       std::optional<std::size_t> row = {});

}  // namespace attn
