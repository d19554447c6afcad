// Products added up over each row, or altogether, in double.
#include "core/operations/sums.h"

#include "core/operations/products.h"
#include "core/operations/row_norm_row.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const SumProduct& op, TensorsOf<T> inputs) {
  const auto &x = inputs[0], &y = inputs[1];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (op.over == SumProduct::all) return sum_of_products(x.values(), y.values());
    return sum_of_products(row_numbers(x, c.head, c.row), row_numbers(y, c.head, c.row));
  });
}

template struct Reference<SumProduct>;

}  // namespace attn::reference
