// Rows that are the same modulo `count` ÷ d added up: what flows back to rows repeated under a longer matrix. Formula:
// core/operations/repeated_rows.h. Shapes: x `times` matrices of `columns` numbers one after the other, y one of them.
// Grid: that of elementwise.cl over y as one row, in chunks of `column_chunk` numbers of any size. Includes row_items.cl.
//
// Adding repeated rows is `add` of elementwise.cl.

#include "row_items.cl"

__kernel void sum_repeated(__global const float* x, __global float* y, const ulong times, const ulong rows,
                           const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  // Number by number: sums in vectors bring a hint (noalias.scope.decl) that oclgrind does not know.
  for (ulong i = first; i < end; ++i) {
    Sum sum = sum_zero();
    for (ulong s = 0; s < times; ++s) sum = sum_product(sum, x[s * columns + i], 1.0f);
    y[i] = sum_or_infinite(sum);
  }
}
