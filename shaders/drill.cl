// Work of a known amount with a known result, to measure a device by: multiplying and adding in registers, and copying.
//
// multiply_add: in each of CHAINS vectors of LANES numbers x ← x·factor + step, `steps` times over. With factor and
// step 1 every number ends at its start + steps, exactly while that is below 2^24; no compiler can know both. What is
// kept are the least and the largest of the chains, each less its number: both are the item's start + steps, and none
// of the chains can be left out. Grid: 1-D, an item each with 2·LANES results.
//   processors: a few items for each core, work-groups of one; GPUs: many, in groups
// fill, copy: grid of the kernels that work number by number (elementwise.cl), over one row of `columns` numbers.
// copy_vectors: on GPUs in place of copy, whose items of one number each do not keep a fast one's memory busy. Grid: 1-D,
// as many items as the device works at together.

// LANES: floats in a register.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define Lanes JOIN(float, LANES)
#define STORE JOIN(vstore, LANES)

// A multiply-add takes about four cycles and two begin in each: eight chains at least. With factor and step twelve
// fit into 16 vector registers. core/opencl/drill.cpp repeats this and kStarts.
#define CHAINS 12
#define STARTS 16

__kernel void multiply_add(__global float* results, const float factor, const float step, const uint steps) {
  const size_t item = get_global_id(0);
  const Lanes f = (Lanes)(factor), s = (Lanes)(step);
  Lanes x[CHAINS];
#pragma unroll
  for (uint c = 0; c < CHAINS; ++c) x[c] = (Lanes)((float)(c + item % STARTS));
  for (uint i = 0; i < steps; ++i) {
#pragma unroll
    for (uint c = 0; c < CHAINS; ++c) x[c] = x[c] * f + s;
  }
  Lanes least = x[0], most = x[0];
#pragma unroll
  for (uint c = 1; c < CHAINS; ++c) {
    least = fmin(least, x[c] - (Lanes)((float)c));
    most = fmax(most, x[c] - (Lanes)((float)c));
  }
  STORE(least, 2 * item, results);
  STORE(most, 2 * item + 1, results);
}

// Number i is the low 16 bits of i + seed, which a float holds exactly.
__kernel void fill(__global float* y, const ulong seed, const ulong rows, const ulong columns,
                   const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong i = first; i < end; ++i) y[i] = (float)((uint)(i + seed) & 0xffffu);
}

__kernel void copy(__global const float* restrict x, __global float* restrict y, const ulong rows,
                   const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong i = first; i < end; ++i) y[i] = x[i];
}

// Neighbouring items copy neighbouring vectors.
__kernel void copy_vectors(__global const float4* restrict x, __global float4* restrict y, const ulong vectors) {
  for (ulong i = get_global_id(0); i < vectors; i += get_global_size(0)) y[i] = x[i];
}
