// Sinusoidal encoding: y[p, 2i] = sin(p·ω_i), y[p, 2i+1] = cos(p·ω_i) (core/operations/position.h). Formula:
// Vaswani et al. 2017, section 3.5. Shapes: y rows×columns, positions × features; no inputs, but tables of a
// number for each column; row 0 is position `origin`. Grid: that of elementwise.cl over y. Includes nothing.

// A float angle p·ω has lost its place on the circle once p is large. Turns are counted in fixed point instead:
// turns[j] is ω/2π modulo 1, times 2^64, so that multiplying by the position wraps exactly like the angle does. Columns
// whose angles stay below half a radian (slow[j]) use p·ω, which keeps the relative precision of a small sine.
__kernel void sinusoidal_encoding(__global const ulong* turns, __global const float* frequency,
                                  __global const uint* slow, __global float* y, const ulong origin,
                                  const ulong rows, const ulong columns, const ulong column_chunk) {
  const ulong first = get_global_id(0) * column_chunk, end = min(first + column_chunk, columns);
  for (ulong row = get_global_id(1); row < rows; row += get_global_size(1)) {
    const ulong position = origin + row;
    for (ulong j = first; j < end; ++j) {
      const bool cosine = j % 2 != 0;
      float value;
      if (slow[j]) {
        const float angle = (float)position * frequency[j];
        value = cosine ? cos(angle) : sin(angle);
      } else {
        // The nearest quarter turn, and what remains, at most an eighth of a turn: there both functions are precise.
        const ulong turn = position * turns[j], quarter = (turn + (1UL << 61)) >> 62;
        const float half_turns = (float)(long)(turn - (quarter << 62)) * 0x1p-63f;
        const uint quadrant = (uint)(quarter + (cosine ? 1 : 0)) & 3;
        value = quadrant % 2 == 0 ? sinpi(half_turns) : cospi(half_turns);
        if (quadrant >= 2) value = -value;
      }
      y[row * columns + j] = value;
    }
  }
}
