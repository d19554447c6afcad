// The Gaussian kernel as an attention layer: −(q − x)²/2σ² as scaled dot products.
#pragma once

#include "core/attention/layer.h"
#include "core/kernels/part.h"

namespace attn {

// The curve that such a layer is: the first Gaussian, where all points have one width. Past the curves where
// there is none.
std::size_t layer_curve(const KernelsSpec& spec);

// −(q − x)²/2σ² = (q·x − x²/2)/σ² − q²/2σ², and the softmax does not see what depends on q alone. So a query
// is √3·(q, 1, 0)/σ² and a key (x, −x²/2, h), whose third number, which meets the query's 0, makes all keys
// as long as the longest; 1/√d_k takes the √3 away. q and x are counted from the middle of the points. With
// `norms` above 0 keys are shortened and lengthened, in the order of x: then what depends on the key alone,
// −‖k‖²/2 of the squared distance, differs from key to key and does not cancel.
LayerSpec same_layer(const KernelsSpec& spec, const KernelPoints& points);

}  // namespace attn
