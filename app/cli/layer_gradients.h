// Gradients of a layer in the words of the command line: the loss, the graph, the check.
#pragma once

#include <ostream>
#include <string>

#include "core/document/plan.h"
#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"

namespace attn {

// "ones" (or nothing), "cell:ROW,COLUMN", "FILE.npy" (dO), "mse:FILE.npy" or "cross-entropy:L0,L1,…" of an
// output of this shape. Throws Error(Fault::option) for other words, and what reading the file throws.
Loss read_loss(const std::string& word, const Shape& output);

// Throws Error(Fault::option) where something is asked about gradients, and none are wanted.
void check_gradient_words(bool gradient, const std::string& upstream, bool check);

// A layer's graph with the loss that `upstream` names, and the way back from it.
struct Differentiated {
  Graph graph;
  Gradients gradients;
};
Differentiated differentiated(Built layer, const std::string& upstream);

struct GradientVerdict {
  bool accepted = true;
  std::string words = {};  // how many numbers, the worst and where
};
// Every input number against central differences in double; tells `progress` how far it is. Throws
// Error(Fault::memory) before it begins where its numbers do not fit.
GradientVerdict check_gradients(const Graph& graph, const Gradients& gradients, std::ostream& progress);

}  // namespace attn
