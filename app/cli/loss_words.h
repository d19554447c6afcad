// A loss in the words of the command line.
#pragma once

#include <string>

#include "core/document/plan.h"
#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"

namespace attn {

// "ones" (or nothing), "cell:ROW,COLUMN", "FILE.npy" (dO), "mse:FILE.npy" or "cross-entropy:L0,L1,…" of an
// output of this shape. Throws Error(Fault::option) for other words, and what reading the file throws.
Loss read_loss(const std::string& word, const Shape& output);

// A layer's graph with its loss and the way back from it.
struct Differentiated {
  Graph graph;
  StageIndex loss = 0;
  Gradients gradients;
};
Differentiated differentiated(Built layer, const std::string& loss);

}  // namespace attn
