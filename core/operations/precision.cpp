// Rounding to a format, by its precision and its range; sums in it.
#include "core/operations/precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/operations/family.h"
#include "core/text/text.h"

namespace attn {
namespace {

struct FormatText {
  const char* name;
  int digits;    // of the significand, in bits
  int smallest;  // exponent of the smallest normal number
  double largest;
};

const FormatText& text_of(NumberFormat format) {
  static constexpr FormatText kFormats[] = {
      {"float32", 24, -126, 0x1.fffffep127}, {"float16", 11, -14, 65504}, {"bfloat16", 8, -126, 0x1.fep127}};
  return kFormats[static_cast<std::size_t>(format)];
}

std::vector<double> row_at(const Tensor& x, Cell cell) {
  const auto row = x.values().subspan((cell.head * x.rows() + cell.row) * x.columns(), x.columns());
  return {row.begin(), row.end()};
}

}  // namespace

const char* name(NumberFormat format) {
  return text_of(format).name;
}

double largest_of(NumberFormat format) {
  return text_of(format).largest;
}

double rounded(NumberFormat format, double x) {
  if (!std::isfinite(x) || x == 0) return x;
  const FormatText& f = text_of(format);
  // The distance of the format's numbers at x, exact as all powers of two here are.
  const int exponent = std::max(std::ilogb(x), f.smallest) - (f.digits - 1);
  const double y = std::ldexp(std::nearbyint(std::ldexp(x, -exponent)), exponent);
  return std::abs(y) > f.largest ? std::copysign(std::numeric_limits<double>::infinity(), x) : y;
}

double format_sum(const FormatSum& op, std::span<const double> row) {
  const auto add = [&](double a, double b) { return rounded(op.format, a + b); };
  if (row.empty()) return 0;
  if (op.order == SumOrder::in_order) {
    double sum = row[0];
    for (const double x : row.subspan(1)) sum = add(sum, x);
    return sum;
  }
  std::vector<double> level(row.begin(), row.end());
  while (level.size() > 1) {
    std::vector<double> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(add(level[i], level[i + 1]));
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  return level[0];
}

Shape result_shape(const Round&, Shapes inputs) {
  return inputs[0];
}
Shape result_shape(const FormatSum&, Shapes inputs) {
  return {inputs[0].stack, inputs[0].rows, 1};
}

Explanation explain(const Round& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  const std::string to = std::string("rounded to ") + name(op.format);
  Explanation e = only(to, {.operands = {x}, .value = rounded(op.format, x.value)});
  e.formula = {words(to + " from " + (x.value < 0 ? "−" : "") + brief(std::abs(x.value)))};
  e.passages = {{words(to)}};
  return e;
}

Explanation explain(const FormatSum& op, Inputs inputs, Cell cell) {
  Term term{.operands = {}, .value = format_sum(op, row_at(inputs[0], cell))};
  for (std::size_t j = 0; j < inputs[0].columns(); ++j)
    term.operands.push_back(operand(inputs, 0, {cell.head, cell.row, j}));
  const std::string how = op.order == SumOrder::in_order ? "one after the other" : "by pairs";
  Explanation e =
      only("added " + how + ", each sum rounded to " + std::string(name(op.format)), std::move(term));
  e.writing.between = "+";
  e.formula = {words("Σ of "), part_of(0, in_brackets(cell.row)),
               words(" " + how + ", in " + std::string(name(op.format)))};
  return e;
}

Regions reach(const Round&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}
Regions reach(const FormatSum&, Shapes, std::size_t, Cell cell) {
  return region({cell.head, cell.row, 0});
}

Traits traits(const Round& op, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .passes_numbers = true, .rounds_to = op.format, .steps = true};
}
Traits traits(const FormatSum&, Shapes inputs, const Shape&) {
  return {.multiply_adds = 4 * size_of(inputs[0]), .steps = true};
}

MaskOrigin mask_origin(const Round&, Inputs, Cell cell) {
  return {.of = {{0, cell}}};
}

RowReads cut(Round&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(FormatSum&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

Backward backward(const Round&, Shapes, const Shape&) {
  Backward back;
  back.zero(0, kSteps);
  return back;
}
Backward backward(const FormatSum&, Shapes, const Shape&) {
  Backward back;
  back.zero(0, kSteps);
  return back;
}

template struct Family<Round>;
template struct Family<FormatSum>;

}  // namespace attn
