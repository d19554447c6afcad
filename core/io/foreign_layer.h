// A layer that another program computed: its matrices, and the numbers that came out there.
#pragma once

#include "core/document/document.h"
#include "core/io/layer_npz.h"

namespace attn {

// A document to compare with a layer: what the arrays do not say (masks, heads, the scale) it has as `a` has
// it. Matrices of a layer are its own; arrays that bear the names of stages are typed over them, as numbers
// of which the layer knows no formula. Arrays of results alone stand over `a` itself, and so do results with
// q, k and v of the shapes that `a` projects. Throws Error naming the array that is neither, that has another
// shape than its stage, or that no number can be typed over, one whose heads differ where they share a
// matrix, and more numbers than may be typed over.
Document foreign_layer(const LayerSpec& a, NamedArrays arrays);

}  // namespace attn
