// How the numbers of one matrix differ from those of another: B − A, B ÷ A or |B − A|. Formulas:
// core/operations/compared.h. Grid: that of elementwise.cl; the tensors as one row.

// In the order of core/operations/compared.h.
#define RATIO 1
#define DISTANCE 2

__kernel void compared(__global const float* a, __global const float* b, __global float* y, const uint figure,
                       const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong i = first; i < end; ++i) {
    const float from = a[i], to = b[i];
    const bool equal = from == to || (isnan(from) && isnan(to));
    if (figure == RATIO)
      y[i] = equal ? 1.0f : to / from;
    else
      y[i] = equal ? 0.0f : figure == DISTANCE ? fabs(to - from) : to - from;
  }
}
