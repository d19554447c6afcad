// Mechanisms that keep a state instead of scores: linear attention and a recurrent layer.
#include "core/cost/count_builder.h"

namespace attn {

// φ(Q)(φ(K)ᵀV) ÷ φ(Q)Σφ(K), with d_k features. Prefix sums take as many operations as one sum of all: causal
// or not is the same.
void count_linear(CostBuilder& b) {
  using Factors = CostBuilder::Factors;
  const Factors queries{b.n, b.h, b.d_k}, kept{b.n, b.h_kv, b.d_k};
  const CostFactor with_sum = b.number("(d_k+1)", b.d_k.value + 1);
  const Factors state{b.h_kv, b.d_k, with_sum};

  // x + 1 above 0, exp(x) below; its derivative is multiplied by once.
  constexpr CostStage kFeatures = CostStage::weights, kOutput = CostStage::head_output;
  b.operations(kFeatures, "φ(Q)", queries);
  b.operations(kFeatures, "φ(K)", kept);
  b.moves(kFeatures, {b.bytes("Q read, φ(Q) written", {b.two, b.n, b.h, b.d_k}),
                      b.bytes("K read, φ(K) written", {b.two, b.n, b.h_kv, b.d_k})});
  b.holds(kFeatures, "φ(Q)", queries);
  b.holds(kFeatures, "φ(K)", kept);

  b.product(kOutput, "φ(K)ᵀV", {b.n, b.d_k, b.d_k, b.h_kv});
  b.product(kOutput, "φ(Q)(φ(K)ᵀV)", {b.n, b.d_k, b.d_k, b.h});
  b.operations(kOutput, "Σφ(K)", kept);
  const Factors sums{b.two, b.n, b.d_k, b.h};
  b.operations(kOutput, "φ(Q)Σφ(K)", b.spec.backward ? Factors{b.two, b.two, b.n, b.d_k, b.h} : sums);
  // Backward ∂ of the numerator is ∂O ÷ sum, that of the sum −Σ O⊙(∂O ÷ sum).
  b.operations(kOutput, "÷", b.spec.backward ? Factors{b.number("3", 3), b.n, b.d_k, b.h} : queries);
  b.moves(kOutput, {b.bytes("φ(K) read", kept), b.bytes("V read", kept),
                    b.bytes("state written and read", {b.two, b.h_kv, b.d_k, with_sum}),
                    b.bytes("φ(Q) read", queries), b.bytes("written", queries)});
  b.holds(kOutput, "state and its sum", state);
  b.holds(kOutput, "made", queries);

  b.holds_at_once("queries, then φ(Q)", queries);
  b.holds_at_once("keys, then φ(K)", kept);
  b.holds_at_once("values", kept);
  b.holds_at_once("state and its sum", state);
  b.holds_at_once("outputs of the heads", queries);
}

// h_t = tanh(W_x·x_t + W_h·h_{t−1}), d wide: W_x's products are made in the stage of Q, those of W_h, which
// are added to them, in that of the outputs. There is no W_O, and no key or value.
void count_recurrent(CostBuilder& b) {
  constexpr CostStage kInput = CostStage::q, kSteps = CostStage::head_output;
  b.product(kInput, "X·W_x", {b.n, b.d, b.d});
  b.moves(kInput,
          {b.bytes("X read", {b.n, b.d}), b.weights("W_x read", {b.d, b.d}), b.bytes("written", {b.n, b.d})});
  b.holds(kInput, "made", {b.n, b.d});
  b.product(kSteps, "h·W_h", {b.n, b.d, b.d});
  if (b.spec.backward)
    b.operations(kSteps, "∂h(1 − h²)", {b.number("3", 3), b.n, b.d});
  else
    b.operations(kSteps, "tanh", {b.n, b.d});
  b.moves(kSteps, {b.bytes("X·W_x read", {b.n, b.d}), b.weights("W_h read at each step", {b.n, b.d, b.d}),
                   b.bytes("written", {b.n, b.d})});
  b.holds(kSteps, "states", {b.n, b.d});
  b.holds_at_once("X·W_x", {b.n, b.d});
  b.holds_at_once("states", {b.n, b.d});
}

}  // namespace attn
