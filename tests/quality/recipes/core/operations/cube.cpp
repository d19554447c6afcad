// Cubes, explained.
#include "core/operations/cube.h"

#include "core/operations/family.h"

namespace attn {

Shape result_shape(const Cube&, Shapes inputs) {
  return inputs[0];
}

Explanation explain(const Cube&, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  return only("cubed", {.operands = {x, x, x}, .value = x.value * x.value * x.value});
}

Regions reach(const Cube&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Traits traits(const Cube&, Shapes, const Shape& result) {
  return {.multiply_adds = 2 * size_of(result), .counted = 2 * size_of(result)};
}

RowReads cut(Cube&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

Backward backward(const Cube&, Shapes, const Shape&) {
  Backward back;
  const BackwardValue square = back.add(Multiply{}, {input_of(0), input_of(0)}, "%0²");
  const BackwardValue slope = back.add(Scale{3, "3"}, {square}, "3 %0²");
  back.flow(0, back.add(Multiply{}, {kGradient, slope}, "%g ⊙ 3 %0²"));
  return back;
}

template struct Family<Cube>;

}  // namespace attn
