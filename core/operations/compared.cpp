// Two layers' numbers compared: the arithmetic of one difference, in words, and where it goes.
#include "core/operations/compared.h"

#include <cmath>

#include "core/operations/family.h"
#include "core/system/error.h"

namespace attn {

double compared_value(Compared::Figure figure, double a, double b) {
  const bool equal = a == b || (std::isnan(a) && std::isnan(b));
  if (figure == Compared::ratio) return equal ? 1 : b / a;
  if (equal) return 0;
  return figure == Compared::distance ? std::abs(b - a) : b - a;
}

Shape result_shape(const Compared&, Shapes inputs) {  // throws Error when the shapes differ
  if (inputs[0] != inputs[1])
    throw Error("one is " + to_string(inputs[0]) + ", the other " + to_string(inputs[1]) +
                ": numbers of one shape can be compared");
  return inputs[0];
}

Explanation explain(const Compared& op, Inputs inputs, Cell cell) {
  const Operand a = operand(inputs, 0, cell), b = operand(inputs, 1, cell);
  constexpr const char* kRules[] = {"the second less the first; 0 where they are equal",
                                    "the second divided by the first; 1 where they are equal",
                                    "how far the second is from the first"};
  Explanation e =
      only(kRules[op.figure], {.operands = {b, a}, .value = compared_value(op.figure, a.value, b.value)});
  const char* bar = op.figure == Compared::distance ? "|" : "";
  // Two zeros, or two infinities, are divided by the rule alone.
  const bool by_rule = e.result == 1 && b.value / a.value != 1;
  e.writing = {bar, op.figure != Compared::ratio ? "−" : by_rule ? "=" : "÷", bar};
  return e;
}

Regions reach(const Compared&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Traits traits(const Compared&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result)};
}

// What one layer masks and the other does not differs by an infinity of either sign.
MaskOrigin mask_origin(const Compared&, Inputs, Cell cell) {
  return {.any_sign = true, .of = {{0, cell}, {1, cell}}};
}

RowReads cut(Compared&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

Backward backward(const Compared&, Shapes, const Shape&) {
  return no_way_back(kIsMeasure);
}

template struct Family<Compared>;

}  // namespace attn
