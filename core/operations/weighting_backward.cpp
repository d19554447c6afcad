// What flows back through what is said of rows, and through what scores become by it.
#include "core/operations/family.h"
#include "core/operations/weighting.h"

namespace attn {
namespace {

// Σ over its row of what flows to the scores, taken away.
BackwardValue minus_row_sum(Backward& back, BackwardValue scores, const std::string& formula) {
  const BackwardValue sum = back.add(RowSum{}, {scores}, "Σ " + formula);
  return back.add(Scale{-1, "−1"}, {sum}, "−Σ " + formula);
}

}  // namespace

Backward backward(const RowStatistic& op, Shapes, const Shape&) {
  Backward back;
  const auto figure = [&](FigureRule rule, const char* formula) {
    back.flow(0, back.add(FigureGradient{rule}, {input_of(0), kResult, kGradient}, formula));
  };
  switch (op.figure) {
    case RowFigure::largest_or_zero:
      figure(FigureRule::largest_or_zero, "%g where %0 is the largest, and above 0");
      break;
    case RowFigure::threshold:
      figure(FigureRule::threshold, "%g ÷ size of the support, where %0 > τ");
      break;
    case RowFigure::keys_left:
      back.zero(0, "how many keys are left does not move with their scores");
      break;
    case RowFigure::entropy:
    case RowFigure::largest_share:
      return no_way_back(kIsMeasure);
  }
  return back;
}

Backward backward(const ByRow& op, Shapes, const Shape&) {
  Backward back;
  switch (op.rule) {
    case RowRule::minus_maximum:
      back.flow(0, kGradient);
      back.flow(1, minus_row_sum(back, kGradient, "%g"));
      break;
    case RowRule::above: {
      const BackwardValue scores =
          back.add(WeightsGradient{WeightsRule::rectified}, {kResult, kGradient}, "%g where %y > 0");
      back.flow(0, scores);
      back.flow(1, minus_row_sum(back, scores, "%g where %y > 0"));
      break;
    }
    case RowRule::sigmoid:
      back.flow(0, back.add(WeightsGradient{WeightsRule::sigmoid}, {kResult, kGradient}, "%g ⊙ %y (1 − %y)"));
      break;
    case RowRule::rectified:
      back.flow(0, back.add(WeightsGradient{WeightsRule::rectified}, {kResult, kGradient, input_of(1)},
                            "%g ÷ m where %y > 0"));
      break;
  }
  return back;
}

Backward backward(const RowSumWithOne&, Shapes inputs, const Shape&) {
  Backward back;
  back.flow(0, spread_over_columns(back, inputs[0].columns));
  const BackwardValue minus = back.add(Scale{-1, "−1"}, {input_of(1)}, "−%1");
  const BackwardValue one = back.add(Exponential{}, {minus}, "exp(−%1)");
  const BackwardValue product = back.add(Multiply{}, {kGradient, one}, "%g ⊙ exp(−%1)");
  back.flow(1, back.add(Scale{-1, "−1"}, {product}, "−%g ⊙ exp(−%1)"));
  return back;
}

}  // namespace attn
