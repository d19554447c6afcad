// What a frame needs to know of a tensor without reading it: computed once, with the results.
#pragma once

#include <memory>

#include "core/texels.h"

namespace attn {

struct Summary {
  float least = 0, most = 0;  // of the finite numbers; 0 when there are none
  bool finite = true;         // all are
  bool whole = true;          // all finite ones are whole numbers below 1000: written without decimals
  std::shared_ptr<const Pools> pools = {};  // of a large stack

  float largest() const { return most > -least ? most : -least; }  // magnitude
};

// `mask`: what hides cells of it in pictures; may be empty. `pooled`: a picture of it may be asked for.
Summary summarize(const Tensor& values, const Tensor& mask = {}, bool pooled = false);

}  // namespace attn
