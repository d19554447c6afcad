// Weights of several heads at once: the arithmetic of one number, in words, and where it goes.
#include "core/operations/head_maps.h"

#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/system/error.h"

namespace attn {
namespace {

// A vector of each head's numbers at a place.
std::vector<double> heads_at(const Tensor& x, Cell cell) {
  std::vector<double> place;
  for (std::size_t r = 0; r < x.stack(); ++r)
    place.push_back(static_cast<double>(x[{r, cell.row, cell.column}]));
  return place;
}

std::span<const float> matrix_of(const Tensor& x, std::size_t head) {
  const std::size_t size = x.rows() * x.columns();
  return x.values().subspan(head * size, size);
}

std::string head_name(std::size_t head) {
  return "head " + std::to_string(head);
}

}  // namespace

double across_value(AcrossHeads::Figure figure, std::span<const double> place) {
  double sum = 0, most = place.empty() ? 0 : place[0];
  for (const double x : place) {
    sum += x;
    if (!(x <= most)) most = std::isnan(most) ? most : x;
  }
  if (figure == AcrossHeads::maximum) return most;
  const auto count = static_cast<double>(place.size());
  const double mean = sum / count;
  if (figure == AcrossHeads::mean) return mean;
  double squares = 0;
  for (const double x : place) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / count);
}

template <class T>
double likeness_value(HeadLikeness::Measure measure, std::span<const T> a, std::span<const T> b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    if (measure == HeadLikeness::cosine) {
      ab += x * y, aa += x * x, bb += y * y;
    } else {
      const bool nan = std::isnan(x) || std::isnan(y);
      ab += nan ? NAN : std::min(x, y), aa += nan ? NAN : std::max(x, y);
    }
  }
  if (measure == HeadLikeness::cosine) return aa == 0 || bb == 0 ? 0 : ab / (std::sqrt(aa) * std::sqrt(bb));
  return aa == 0 ? 0 : ab / aa;
}
template double likeness_value(HeadLikeness::Measure, std::span<const float>, std::span<const float>);
template double likeness_value(HeadLikeness::Measure, std::span<const double>, std::span<const double>);

Shape result_shape(const PatternShare&, Shapes inputs) {
  const Shape w = inputs[0], p = inputs[1];
  if (w.rows != p.rows || w.columns != p.columns)
    throw Error("patterns are " + to_string(p) + ", but the weights are " + to_string(w) +
                ": make them equally large");
  return {w.stack, w.rows, p.stack};
}
Shape result_shape(const AcrossHeads&, Shapes inputs) {
  return {1, inputs[0].rows, inputs[0].columns};
}
Shape result_shape(const HeadDifference& op, Shapes inputs) {  // throws Error when there is no such head
  if (op.head >= inputs[0].stack)
    throw Error("there is no head " + std::to_string(op.head) + ": the last one is " +
                std::to_string(inputs[0].stack - 1) + ", counted from 0");
  return inputs[0];
}
Shape result_shape(const HeadLikeness&, Shapes inputs) {
  return {1, inputs[0].stack, inputs[0].stack};
}
Shape result_shape(const PartLength&, Shapes inputs) {
  const Shape x = inputs[0], w = inputs[1];
  if (w.stack != 1 || w.rows != x.stack * x.columns)
    throw Error("W_O is " + to_string(w) + ", but the heads side by side have " +
                std::to_string(x.stack * x.columns) + " columns: give it as many rows");
  return {x.stack, x.rows, 1};
}

Explanation explain(const PatternShare&, Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  for (std::size_t j = 0; j < inputs[0].columns(); ++j) {
    const Operand w = operand(inputs, 0, {cell.head, cell.row, j});
    const Operand p = operand(inputs, 1, {cell.column, cell.row, j});
    terms.push_back({.operands = {w, p}, .value = w.value * p.value});
  }
  Explanation e = sum_of("the weights of the row that lie in the pattern", std::move(terms));
  e.over = 0;
  return e;
}

Explanation explain(const AcrossHeads& op, Inputs inputs, Cell cell) {
  const Tensor& x = inputs[0];
  const double result = across_value(op.figure, heads_at(x, cell));
  const auto count = static_cast<double>(x.stack());
  const double mean = across_value(AcrossHeads::mean, heads_at(x, cell));
  const std::string of = " ÷ " + std::to_string(x.stack());
  std::vector<Term> terms;
  for (std::size_t r = 0; r < x.stack(); ++r) {
    const Operand a = operand(inputs, 0, {r, cell.row, cell.column});
    if (op.figure == AcrossHeads::maximum)
      terms.push_back({.operands = {a}, .value = a.value});
    else if (op.figure == AcrossHeads::mean)
      terms.push_back({.operands = {a, constant(1 / count, "1" + of)}, .value = a.value / count});
    else
      terms.push_back(
          {.operands = {a, constant(mean, "mean")}, .value = (a.value - mean) * (a.value - mean) / count});
  }
  constexpr const char* kRules[] = {"the mean of all heads", "the largest of all heads",
                                    "√ of the mean of (number − mean)² over the heads"};
  constexpr Aggregate kAggregates[] = {Aggregate::sum, Aggregate::maximum, Aggregate::root};
  Explanation e{.rule = kRules[op.figure],
                .aggregate = kAggregates[op.figure],
                .terms = std::move(terms),
                .result = result};
  if (op.figure == AcrossHeads::spread) e.writing = {"(", "−", ")²" + of};
  return e;
}

Explanation explain(const HeadDifference& op, Inputs inputs, Cell cell) {
  const Operand a = operand(inputs, 0, cell), b = operand(inputs, 0, {op.head, cell.row, cell.column});
  Explanation e =
      only("less " + head_name(op.head) + " there", {.operands = {a, b}, .value = a.value - b.value});
  e.writing.between = "−";
  return e;
}

Explanation explain(const HeadLikeness& op, Inputs inputs, Cell cell) {
  const auto a = matrix_of(inputs[0], cell.row), b = matrix_of(inputs[0], cell.column);
  const double value = likeness_value(op.measure, a, b);
  const std::string both = head_name(cell.row) + " and " + head_name(cell.column);
  return only(op.measure == HeadLikeness::cosine
                  ? "the cosine of all weights of " + both + ": Σ ab ÷ √(Σ a²·Σ b²)"
                  : "of the weights of " + both + ": Σ min(a, b) ÷ Σ max(a, b)",
              {.operands = {constant(value, op.measure == HeadLikeness::cosine ? "cosine" : "overlap")},
               .value = value});
}

Explanation explain(const PartLength&, Inputs inputs, Cell cell) {
  std::vector<Term> terms;
  double squares = 0;
  for (std::size_t column = 0; column < inputs[1].columns(); ++column) {
    const double part = part_value(inputs[0], inputs[1], cell, column);
    const Operand of = constant(part, "feature " + std::to_string(column));
    terms.push_back({.operands = {of, of}, .value = part * part});
    squares += part * part;
  }
  return {.rule = "√Σ of squares of what " + head_name(cell.head) + " adds to each feature of the output",
          .aggregate = Aggregate::root,
          .terms = std::move(terms),
          .result = std::sqrt(squares)};
}

Regions reach(const PatternShare&, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return {{cell.head, cell.row, 0}, {cell.head + 1, cell.row + 1, inputs[1].stack}};
  return {{0, cell.row, cell.head}, {inputs[0].stack, cell.row + 1, cell.head + 1}};
}
Regions reach(const AcrossHeads&, Shapes, std::size_t, Cell cell) {
  return region({0, cell.row, cell.column});
}
Regions reach(const HeadDifference& op, Shapes inputs, std::size_t, Cell cell) {
  if (cell.head != op.head) return region(cell);
  return {{0, cell.row, cell.column}, {inputs[0].stack, cell.row + 1, cell.column + 1}};
}
Regions reach(const HeadLikeness&, Shapes inputs, std::size_t, Cell cell) {
  const std::size_t heads = inputs[0].stack;
  Regions regions({0, cell.head, 0}, {1, cell.head + 1, heads});
  if (cell.head > 0) regions.push_back({{0, 0, cell.head}, {1, cell.head, cell.head + 1}});
  if (cell.head + 1 < heads) regions.push_back({{0, cell.head + 1, cell.head}, {1, heads, cell.head + 1}});
  return regions;
}
Regions reach(const PartLength&, Shapes inputs, std::size_t input, Cell cell) {
  if (input == 0) return region({cell.head, cell.row, 0});
  const std::size_t head = cell.row / std::max<std::size_t>(1, inputs[0].columns);
  return {{head, 0, 0}, {head + 1, inputs[0].rows, 1}};
}

Traits traits(const PatternShare&, Shapes inputs, const Shape& result) {
  return {.multiply_adds = size_of(result) * static_cast<double>(inputs[0].columns)};
}
Traits traits(const AcrossHeads&, Shapes inputs, const Shape&) {
  return {.multiply_adds = 2 * size_of(inputs[0])};
}
Traits traits(const HeadDifference&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}
Traits traits(const HeadLikeness&, Shapes inputs, const Shape& result) {
  return {.multiply_adds = 3 * size_of(result) * times(inputs[0].rows, inputs[0].columns)};
}
Traits traits(const PartLength&, Shapes inputs, const Shape& result) {
  return {.multiply_adds = size_of(result) * times(inputs[0].columns, inputs[1].columns)};
}

RowReads cut(PatternShare&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(AcrossHeads&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(HeadDifference&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(HeadLikeness&, Shapes, const RowRange&) {
  return std::nullopt;
}
RowReads cut(PartLength&, Shapes inputs, const RowRange&) {
  return same_rows(inputs, {1});
}

Backward backward(const PatternShare&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}
Backward backward(const AcrossHeads&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}
Backward backward(const HeadDifference&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}
Backward backward(const HeadLikeness&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}
Backward backward(const PartLength&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}

template struct Family<PatternShare>;
template struct Family<AcrossHeads>;
template struct Family<HeadDifference>;
template struct Family<HeadLikeness>;
template struct Family<PartLength>;

}  // namespace attn
