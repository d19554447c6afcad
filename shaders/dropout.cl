// Dropout: an entry is scaled by 1/(1−p) where its 24 random bits reach the threshold, else 0. Formula:
// core/operations/dropout.h; the bits are those of random_bits in core/tensor/random.cpp, since the reference has to
// drop the same entries. Shapes: x and y of any shape, a matrix taken as one row. `whole`: the
// entries of a matrix of the whole X, of which those here are the ones from `before` on, so that `e` is the flat index.
// Grid: that of elementwise.cl, with rows = all matrices and columns = the entries of one. Includes scale.cl.

#include "scale.cl"

__kernel void dropout(__global const float* x, __global float* y, const ulong seed, const uint threshold,
                      const float high, const float low, const int exponent, const ulong before, const ulong whole, const ulong rows,
                      const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1))
    for (ulong e = row * columns + first; e < row * columns + end; ++e) {
      ulong z = seed + (row * whole + before + e - row * columns + 1) * 0x9E3779B97F4A7C15UL;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
      const uint bits = (uint)((z ^ (z >> 31)) >> 40);
      y[e] = bits >= threshold ? scaled(x[e], high, low, exponent) : 0.0f;
    }
}
