// Differentiation, from graph to graph: the stages of the way back from a loss.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/graph/graph.h"

namespace attn {

// What append_gradients made of each stage that stood before.
struct Gradients {
  StageIndex loss = 0;
  std::vector<std::optional<StageIndex>> of = {};

  std::optional<StageIndex> find(StageIndex stage) const {
    return stage < of.size() ? of[stage] : std::nullopt;
  }
};

// Appends ∂loss/∂s for every stage s on the way from the stages in `of` to the loss, 1×1×1; of none given,
// for all that the loss is computed from. Its operation's family says what flows back through a stage
// (core/operations/backward.h); what flows to it from several is added up.
//
// A gradient has the shape, the axes and the stack of its stage, Role::gradient, the id "d_" and the stage's,
// and names it (Stage::gradient_of). It is traced where its stage is, or is a parameter. Where nothing can
// flow (a hard choice, rounding) it is a matrix of zeros and Stage::zero says why. Sums of a softmax are not
// taken apart: dS = A ⊙ (dA − Σ dA ⊙ A) (mechanics: Bridle 1990), and of sparsemax dA − its mean over the
// support (Martins, Astudillo 2016, equation 13).
//
// Throws Error naming a stage through which there is no way back.
Gradients append_gradients(Graph& graph, StageIndex loss, std::span<const StageIndex> of = {});

// The Jacobian of a row of weights, 1×1×m, by the scores that it is made of: m rows, row i the gradient of
// weight i. Where numbers are typed over steps between the two, or the choice is hard, it is that of a
// softmax with these weights. `words`: the stage without its operation.
StageIndex append_jacobian(Graph& graph, StageIndex row, StageIndex of, Stage words);

}  // namespace attn
