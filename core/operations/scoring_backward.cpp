// What flows back through distances, pairs and tanh.
#include "core/operations/family.h"
#include "core/operations/scoring.h"

namespace attn {

Backward backward(const Tanh& op, Shapes, const Shape&) {
  Backward back;
  const std::string squared = op.cap == 1 ? "(1 − %y²)" : "(1 − (%y ÷ c)²)";
  const BackwardValue flow = back.add(TanhGradient{op.cap}, {kResult, kGradient}, "%g ⊙ " + squared);
  back.flow(0, flow);
  // ∂y/∂c = tanh(x/c) − (x/c)(1 − tanh²) = (y − x·∂y/∂x) ÷ c.
  const SumProduct all{SumProduct::all};
  const BackwardValue grows = back.add(all, {kGradient, kResult}, "Σ %g ⊙ %y");
  const BackwardValue bent = back.add(all, {flow, input_of(0)}, "Σ d%0 ⊙ %0");
  const BackwardValue minus = back.add(Scale{-1, "−1"}, {bent}, "−Σ d%0 ⊙ %0");
  const BackwardValue left = back.add(Add{}, {grows, minus}, "Σ %g ⊙ %y − Σ d%0 ⊙ %0");
  back.number = back.add(Scale{1 / op.cap, "1/c"}, {left}, "(Σ %g ⊙ %y − Σ d%0 ⊙ %0) ÷ c");
  return back;
}

Backward backward(const SquaredDistance&, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(DistanceGradient{ScoreSide::queries}, {input_of(0), input_of(1), kGradient},
                        "Σ 2 · %g · (%0 − %1)"));
  back.flow(1, back.add(DistanceGradient{ScoreSide::keys}, {input_of(0), input_of(1), kGradient},
                        "Σ 2 · %g · (%1 − %0)"));
  return back;
}

Backward backward(const TakeColumns& op, Shapes inputs, const Shape&) {
  Backward back;
  back.flow(0, back.add(PutColumns{op.first, inputs[0].columns}, {kGradient}, "%g in its columns"));
  return back;
}

Backward backward(const PairSum&, Shapes inputs, const Shape&) {
  const std::size_t keys = inputs[1].rows, group = inputs[0].stack / inputs[1].stack;
  Backward back;
  back.flow(0, back.add(PairSumGradient{ScoreSide::queries, keys}, {kGradient}, "Σ over keys of %g"));
  back.flow(1, back.add(PairSumGradient{ScoreSide::keys, keys, group}, {kGradient}, "Σ over queries of %g"));
  return back;
}

Backward backward(const PairProduct&, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(PairProductGradient{ScoreSide::queries}, {kGradient, input_of(1)}, "%g · %1"));
  back.flow(1, back.add(PairProductGradient{ScoreSide::vector}, {kGradient, input_of(0)}, "Σ %g · %0"));
  return back;
}

Backward backward(const AdditiveScore&, Shapes, const Shape&) {
  Backward back;
  const auto of = [&](ScoreSide side, const char* formula) {
    return back.add(AdditiveGradient{side}, {input_of(0), input_of(1), input_of(2), kGradient}, formula);
  };
  back.flow(0, of(ScoreSide::queries, "Σ over keys of %g · %2 ⊙ (1 − tanh²)"));
  back.flow(1, of(ScoreSide::keys, "Σ over queries of %g · %2 ⊙ (1 − tanh²)"));
  back.flow(2, of(ScoreSide::vector, "Σ %g · tanh"));
  return back;
}

}  // namespace attn
