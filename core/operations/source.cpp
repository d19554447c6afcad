// A number the user gave has no arithmetic.
#include "core/operations/source.h"

#include "core/operations/family.h"

namespace attn {

Shape result_shape(const Source& op, Shapes) {
  return op.tensor.shape();
}

Explanation explain(const Source& op, Inputs, Cell cell) {
  return {.rule = "an input you can edit", .result = op.tensor[cell]};
}

Regions reach(const Source&, Shapes, std::size_t, Cell) {
  return {};
}

Traits traits(const Source&, Shapes, const Shape&) {
  return {.counted = 0};
}

RowReads cut(Source& op, Shapes, const RowRange& rows) {
  op.tensor = take_rows(op.tensor, rows);
  return std::vector<RowsRead>();
}

Backward backward(const Source&, Shapes, const Shape&) {
  return {};
}

template struct Family<Source>;

}  // namespace attn
