// Pairs of features turned by an angle that grows with the position: y_a = x_a·cos φ − x_b·sin φ,
// y_b = x_a·sin φ + x_b·cos φ (core/operations/rotary.h). Formula: Su et al. 2021, section 3.4.2.
// Shapes: x and y S×n×d; cosines and sines n×(w/2), made on the host in double, as a float angle p·θ has lost its
// place on the circle once p is large. Grid: that of elementwise.cl, a row for each row of the stack. Includes nothing.

// Features behind the `turned` ones (w) are copied. `split`: pairs are (i, i + w/2), else (2i, 2i+1).
__kernel void rotate_pairs(__global const float* x, __global const float* cosines, __global const float* sines,
                           __global float* y, const ulong positions, const ulong turned, const uint split,
                           const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  const ulong half_width = turned / 2;
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    __global const float* from = x + row * columns;
    __global float* to = y + row * columns;
    const ulong angles = row % positions * half_width;
    for (ulong j = first; j < end; ++j) {
      if (j >= turned) {
        to[j] = from[j];
        continue;
      }
      const bool second = split ? j >= half_width : j % 2 != 0;
      const ulong pair = split ? (second ? j - half_width : j) : j / 2;
      const ulong other = split ? (second ? pair : pair + half_width) : (j ^ 1);
      const float s = sines[angles + pair], c = cosines[angles + pair];
      to[j] = fma(from[j], c, second ? from[other] * s : -(from[other] * s));
    }
  }
}
