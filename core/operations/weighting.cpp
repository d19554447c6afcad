// Weights of scores, row by row: the arithmetic in double, by the definitions, and how it is explained.
#include "core/operations/weighting.h"

#include "core/operations/family.h"
#include "core/text/special.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {
namespace {

double largest_of(std::span<const double> row, double largest) {
  for (const double x : row)
    if (std::isnan(x) || x > largest) largest = x;  // once NaN, no comparison replaces it
  return largest;
}

// The scores less the largest, from the largest down: those that can be in the support. Empty: no key left.
std::vector<double> candidates(std::span<const double> row, double largest) {
  std::vector<double> sorted;
  if (largest == -kInfinity) return sorted;
  for (const double x : row)
    if (x - largest > -1) sorted.push_back(x - largest);
  std::ranges::sort(sorted, std::greater<>());
  return sorted;
}

struct Support {
  double sum = 0;  // of the scores less the largest
  std::size_t count = 0;
  double threshold() const { return (sum - 1) / static_cast<double>(count); }
};

// Counted from the largest, so that no digits are lost: sparsemax does not see a shift.
Support support_of(std::span<const double> row, double largest) {
  Support support;
  double sum = 0;
  std::size_t k = 0;
  for (const double x : candidates(row, largest)) {
    sum += x, ++k;
    if (1 + static_cast<double>(k) * x > sum) support = {sum, k};
  }
  return support;
}

double threshold_of(std::span<const double> row) {
  const double largest = largest_of(row, -kInfinity);
  if (largest == -kInfinity) return 0;
  if (!std::isfinite(largest)) return kNan;
  return largest + support_of(row, largest).threshold();
}

double share_of_largest(std::span<const double> row) {
  const double largest = largest_of(row, -kInfinity);
  if (largest == -kInfinity) return 0;
  double sum = 0;
  for (const double x : row) sum += std::exp(x - largest);
  return 1 / sum;
}

double part_of_entropy(double a) {
  return a == 0 ? 0 : -a * std::log(a);
}

std::vector<double> row_at(Inputs inputs, Cell cell) {
  const auto row = inputs[0].values().subspan((cell.head * inputs[0].rows() + cell.row) * inputs[0].columns(),
                                              inputs[0].columns());
  return {row.begin(), row.end()};
}

Explanation explain_threshold(Inputs inputs, Cell cell) {
  const std::vector<double> row = row_at(inputs, cell);
  const double largest = largest_of(row, -kInfinity);
  if (!std::isfinite(largest))
    return {.rule = largest == -kInfinity ? "no key left in this row: 0" : "a score that is not finite",
            .result = threshold_of(row)};
  const Support support = support_of(row, largest);
  const double each = 1 / static_cast<double>(support.count), threshold = largest + support.threshold();
  std::vector<Term> terms;
  for (std::size_t j = 0; j < row.size(); ++j)
    if (row[j] > threshold)
      terms.push_back({.operands = {operand(inputs, 0, {cell.head, cell.row, j}),
                                    constant(each, "1/" + std::to_string(support.count))},
                       .value = row[j] * each});
  terms.push_back({.operands = {constant(-each, "−1/" + std::to_string(support.count))}, .value = -each});
  Explanation e = sum_of("(Σ of the " + std::to_string(support.count) + " largest scores − 1) ÷ " +
                             std::to_string(support.count),
                         std::move(terms));
  e.formula = {words("τ = (Σ of the support − 1) ÷ " + std::to_string(support.count))};
  return e;
}

Explanation explain_largest(Inputs inputs, Cell cell) {
  Explanation e{.rule = "the largest score of the row, or 0", .aggregate = Aggregate::maximum};
  e.terms = terms_of_row(inputs, cell);
  e.terms.push_back({.operands = {constant(0, "0")}, .value = 0});
  e.result = largest_of(row_at(inputs, cell), 0);
  e.formula = {words("max of 0 and "), part_of(0, in_brackets(cell.row)), words(" over "), columns_of(0)};
  return e;
}

Explanation explain_left(Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < inputs[0].columns(); ++j) {
    const Operand x = operand(inputs, 0, {cell.head, cell.row, j});
    terms.push_back(
        {.operands = {x, constant(-kInfinity, "−∞")}, .value = x.value == -kInfinity ? 0.0 : 1.0});
  }
  Explanation e = sum_of("scores of the row that are not −∞", std::move(terms));
  e.writing.between = "≠";
  e.over = 0;
  return e;
}

Explanation explain_entropy(Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < inputs[0].columns(); ++j) {
    const Operand a = operand(inputs, 0, {cell.head, cell.row, j});
    const double log = a.value == 0 ? 0 : -std::log(a.value);
    terms.push_back({.operands = {a, constant(log, "−ln a")}, .value = part_of_entropy(a.value)});
  }
  Explanation e = sum_of("−Σ a·ln a over the keys of the row, in nats", std::move(terms));
  e.over = 0;
  return e;
}

}  // namespace

double row_figure(RowFigure figure, std::span<const double> row) {
  switch (figure) {
    case RowFigure::largest_or_zero:
      return largest_of(row, 0);
    case RowFigure::keys_left:
      return static_cast<double>(std::ssize(row) - std::ranges::count(row, -kInfinity));
    case RowFigure::threshold:
      return threshold_of(row);
    case RowFigure::entropy: {
      double sum = 0;
      for (const double a : row) sum += part_of_entropy(a);
      return sum;
    }
    case RowFigure::largest_share:
      return share_of_largest(row);
  }
  return kNan;
}

double by_row_value(RowRule rule, double x, double r) {
  switch (rule) {
    case RowRule::minus_maximum:
      return r == -kInfinity ? r : x - r;
    case RowRule::above:
      return x == -kInfinity || x - r <= 0 ? 0 : x - r;
    case RowRule::sigmoid:
      if (x == -kInfinity) return 0;
      return x > 0 ? 1 / (1 + r * std::exp(-x)) : std::exp(x) / (std::exp(x) + r);
    case RowRule::rectified:
      return x <= 0 ? 0 : x / r;
  }
  return kNan;
}

Shape result_shape(const RowStatistic&, Shapes inputs) {
  return {inputs[0].stack, inputs[0].rows, 1};
}
Shape result_shape(const ByRow&, Shapes inputs) {
  return inputs[0];
}
Shape result_shape(const RowSumWithOne&, Shapes inputs) {
  return {inputs[0].stack, inputs[0].rows, 1};
}

Explanation explain(const RowStatistic& op, Inputs inputs, Cell cell) {
  switch (op.figure) {
    case RowFigure::largest_or_zero:
      return explain_largest(inputs, cell);
    case RowFigure::keys_left:
      return explain_left(inputs, cell);
    case RowFigure::threshold:
      return explain_threshold(inputs, cell);
    case RowFigure::entropy:
      return explain_entropy(inputs, cell);
    case RowFigure::largest_share:
      break;
  }
  const double share = share_of_largest(row_at(inputs, cell));
  Explanation e{.rule = "the largest weight of the row's softmax: 1 ÷ Σ exp(score − row max)",
                .terms = {{.operands = {}, .value = share}},
                .result = share};
  for (std::size_t j = 0; j < inputs[0].columns(); ++j)
    e.terms[0].operands.push_back(operand(inputs, 0, {cell.head, cell.row, j}));
  e.writing.between = ",";
  return e;
}

Explanation explain(const ByRow& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell), r = operand(inputs, 1, {cell.head, cell.row, 0});
  const Term term{.operands = {x, r}, .value = by_row_value(op.rule, x.value, r.value)};
  const auto of_row = part_of(1, in_brackets(cell.row));
  Explanation e = only({}, term);
  switch (op.rule) {
    case RowRule::minus_maximum:
      e.rule = "score − row max";
      e.writing.between = "−";
      e.formula = {cell_of(0, cell), words(" − "), of_row};
      break;
    case RowRule::above:
      e.rule = "max(0, score − τ)";
      e.writing = {.before = "max(0, ", .between = "−", .after = ")"};
      e.formula = {words("max(0, "), cell_of(0, cell), words(" − "), of_row, words(")")};
      break;
    case RowRule::sigmoid:
      e.rule = "σ(score − ln keys left)";
      e.writing = {.before = "σ(", .between = "− ln", .after = ")"};
      e.formula = {words("σ("), cell_of(0, cell), words(" − ln "), of_row, words(")")};
      break;
    case RowRule::rectified:
      e.rule = "max(0, score) ÷ keys left";
      e.writing = {.before = "max(0, ", .between = ") ÷", .after = ""};
      e.formula = {words("max(0, "), cell_of(0, cell), words(") ÷ "), of_row};
      break;
  }
  return e;
}

Explanation explain(const RowSumWithOne&, Inputs inputs, Cell cell) {
  std::vector<Term> terms = terms_of_row(inputs, cell);
  Operand one = operand(inputs, 1, {cell.head, cell.row, 0});
  one.value = std::exp(-one.value), one.text = "exp(−c)";
  terms.push_back({.operands = {one}, .value = one.value});
  Explanation e = sum_of("Σ over the keys of the row, and exp(−c) for the 1", std::move(terms));
  e.formula = {words("exp(−"),     part_of(1, in_brackets(cell.row)),
               words(") + Σ of "), part_of(0, in_brackets(cell.row)),
               words(" over "),    columns_of(0)};
  return e;
}

Regions reach(const RowStatistic&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, 0});
}
Regions reach(const ByRow&, Shapes inputs, std::size_t input, Cell cell) {
  return reach_row(inputs, input, cell);
}
Regions reach(const RowSumWithOne&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, 0});
}

Traits traits(const RowStatistic& op, Shapes inputs, const Shape&) {
  const bool costly = op.figure == RowFigure::entropy || op.figure == RowFigure::largest_share;
  return {.multiply_adds = (costly ? 10 : 2) * size_of(inputs[0]),
          .stays_in_format = op.figure == RowFigure::keys_left || op.figure == RowFigure::largest_or_zero,
          .step = op.figure == RowFigure::threshold ? SoftmaxStep::threshold : SoftmaxStep::none};
}
Traits traits(const ByRow& op, Shapes, const Shape& result) {
  return {.multiply_adds = (op.rule == RowRule::sigmoid ? 10 : 1) * size_of(result),
          .step = op.rule == RowRule::above ? SoftmaxStep::above : SoftmaxStep::none,
          .bends = op.rule == RowRule::above || op.rule == RowRule::rectified};
}
Traits traits(const RowSumWithOne&, Shapes inputs, const Shape&) {
  return {.multiply_adds = size_of(inputs[0]), .step = SoftmaxStep::sum_with_one};
}
MaskOrigin mask_origin(const ByRow& op, Inputs, Cell cell) {
  return op.rule == RowRule::minus_maximum ? MaskOrigin{.of = {{0, cell}}} : MaskOrigin();
}

RowReads cut(RowStatistic&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(ByRow&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(RowSumWithOne&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

// weighting_backward.cpp
Backward backward(const RowStatistic& op, Shapes inputs, const Shape& result);
Backward backward(const ByRow& op, Shapes inputs, const Shape& result);
Backward backward(const RowSumWithOne& op, Shapes inputs, const Shape& result);

template struct Family<RowStatistic>;
template struct Family<ByRow>;
template struct Family<RowSumWithOne>;

}  // namespace attn
