// What would become of a layer's weights if one thing were done otherwise.
#pragma once

#include "core/edits/layer_changes.h"
#include "core/tensor/tensor.h"

namespace attn {

// The weights of layer A with the change, h×n×m, by the reference. Empty where the change is made already or
// cannot be, and of a layer with more weights than are run again after each edit (kMostProbed).
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
