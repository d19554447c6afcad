// What a frame needs to know of a tensor without reading it: computed once, with the results.
#pragma once

#include <memory>
#include <vector>

#include "core/texels.h"

namespace attn {

// The finite numbers of a matrix lie between them, and so does 0.
struct Bounds {
  float least = 0, most = 0;
};

struct Summary {
  std::vector<Bounds> matrices = {};  // of each matrix of the stack
  Bounds all = {};
  bool finite = true;  // all are
  bool whole = true;   // all finite ones are whole numbers below 1000: written without decimals
  std::shared_ptr<const Pools> pools = {};  // of a large stack

  float largest() const { return all.most > -all.least ? all.most : -all.least; }  // magnitude
};

// `mask`: what hides cells of it in pictures; may be empty. `pooled`: a picture of it may be asked for.
Summary summarize(const Tensor& values, const Tensor& mask = {}, bool pooled = false);

}  // namespace attn
