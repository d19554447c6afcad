// The softmax in its steps, the other weightings, and what flows back through both.
#include "core/operations/softmax.h"

#include "core/code/family.h"
#include "core/text/special.h"

namespace attn::code {
namespace {

Formula equals(Formula a, double b) {
  return binary(Fn::equal, std::move(a), b);
}
// How many of a row it holds of.
Formula counted(Formula condition) {
  return row_sum(where(std::move(condition), 1, 0));
}
// A maximum to subtract: 0 of a row without keys, where −∞ − (−∞) would be NaN.
Formula finite_maximum(Formula maximum) {
  return where(equals(maximum, -kInfinity), 0, maximum);
}

// τ of sparsemax, from the scores less the largest, the largest first.
Formula threshold(Formula x) {
  const Formula maximum = row_max(x);
  const Formula sorted = of_each(Fn::descending, x - finite_maximum(maximum));
  const Formula rank = columns_counted(x->shape.columns) + 1;
  const Formula support = binary(Fn::above, 1 + rank * sorted, of_each(Fn::running_sum, sorted));
  const Formula sum = row_sum(where(support, sorted, 0));
  return where(equals(maximum, -kInfinity), 0, maximum + (sum - 1) / counted(support));
}

}  // namespace

Formula formula(const RowMaximum&, const Given& in) {
  return row_max(in[0]);
}

Formula formula(const Exponential& op, const Given& in) {
  if (in.size() == 1) return of_each(Fn::exp, in[0]);
  const Formula &x = in[0], &maximum = in[1];
  const Formula value = op.hard                           ? where(binary(Fn::equal, x, maximum), 1, 0)
                        : op.empty_row == EmptyRow::zeros ? of_each(Fn::exp, x - finite_maximum(maximum))
                                                          : of_each(Fn::exp, x - maximum);
  switch (op.empty_row) {
    case EmptyRow::zeros:
      return op.hard ? where(equals(maximum, -kInfinity), 0, value) : value;
    case EmptyRow::nan:
      return op.hard ? where(equals(maximum, -kInfinity), kNan, value) : value;
    case EmptyRow::uniform:
      break;
  }
  return where(equals(maximum, -kInfinity), 1, value);
}

Formula formula(const RowSum&, const Given& in) {
  return row_sum(in[0]);
}

Formula formula(const RowSumWithOne&, const Given& in) {
  return of_each(Fn::exp, -1 * in[1]) + row_sum(in[0]);
}

Formula formula(const Normalize& op, const Given& in) {
  return where(equals(in[1], 0), op.undefined ? kNan : 0, in[0] / in[1]);
}

Formula formula(const RowStatistic& op, const Given& in) {
  const Formula x = in[0];
  switch (op.figure) {
    case RowFigure::largest_or_zero:
      return binary(Fn::larger, row_max(x), 0);
    case RowFigure::keys_left:
      return counted(binary(Fn::differs, x, -kInfinity));
    case RowFigure::threshold:
      return threshold(x);
    case RowFigure::entropy:
      return row_sum(where(equals(x, 0), 0, -1 * x * of_each(Fn::log, x)));
    case RowFigure::largest_share:
      break;
  }
  const Formula maximum = row_max(x);
  return where(equals(maximum, -kInfinity), 0, 1 / row_sum(of_each(Fn::exp, x - maximum)));
}

Formula formula(const ByRow& op, const Given& in) {
  const Formula &x = in[0], &r = in[1];
  switch (op.rule) {
    case RowRule::minus_maximum:
      return where(equals(r, -kInfinity), -kInfinity, x - r);
    case RowRule::above:
      return binary(Fn::larger, x - r, 0);
    case RowRule::sigmoid:
      return where(equals(x, -kInfinity), 0, sigmoid(x - of_each(Fn::log, r)));
    case RowRule::rectified:
      break;
  }
  return where(equals(x, -kInfinity), 0, binary(Fn::larger, x, 0) / r);
}

Formula formula(const WeightsGradient& op, const Given& in) {
  const Formula &a = in[0], &g = in[1];
  const Formula support = binary(Fn::above, a, 0);
  switch (op.rule) {
    case WeightsRule::softmax:
      return where(equals(a, 0), 0, a * (g - row_sum(times_or_zero(a, g))));
    case WeightsRule::sparsemax:
      return where(support, g - row_sum(where(support, g, 0)) / counted(support), 0);
    case WeightsRule::sigmoid:
      return where(equals(a, 0), 0, g * a * (1 - a));
    case WeightsRule::rectified:
      break;
  }
  return where(support, in.size() > 2 ? g / in[2] : g, 0);
}

Formula formula(const FigureGradient& op, const Given& in) {
  const Formula &x = in[0], &figure = in[1], &g = in[2];
  const bool support = op.rule == FigureRule::threshold;
  Formula meant = binary(support ? Fn::above : Fn::equal, x, figure);
  if (op.rule == FigureRule::largest_or_zero) meant = binary(Fn::both, meant, binary(Fn::above, figure, 0));
  return where(binary(Fn::both, meant, binary(Fn::differs, x, -kInfinity)), g / counted(meant), 0);
}

template struct CodeOf<RowMaximum>;
template struct CodeOf<Exponential>;
template struct CodeOf<RowSum>;
template struct CodeOf<RowSumWithOne>;
template struct CodeOf<Normalize>;
template struct CodeOf<RowStatistic>;
template struct CodeOf<ByRow>;
template struct CodeOf<WeightsGradient>;
template struct CodeOf<FigureGradient>;

}  // namespace attn::code
