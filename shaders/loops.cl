// How far a device runs a loop: some drivers leave it after a number of steps, without a word. Each step makes another
// number of 32 bits, and no compiler finds a shorter way to the last one; core/opencl/loops.cpp counts back.
// Shapes: y two numbers, its low and its high 16 bits. Grid: one item. Includes nothing.

__kernel void long_loop(__global float* y, const uint steps) {
  uint number = 0;
  for (uint i = 0; i < steps; ++i) number = number * 1664525u + 1013904223u;
  y[0] = (float)(number & 0xffffu);
  y[1] = (float)(number >> 16);
}
