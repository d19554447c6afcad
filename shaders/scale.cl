// A float times a double factor, rounded once, without double arithmetic, which not every device has. One
// function, without kernels or grid of its own, for those that include it.

// x·(high + low)·2^exponent. The host splits the factor (split() in core/opencl/workbench.cpp) so that
// exponent is 0 unless the factor is outside 2^±100. A large power goes in before the product, where a
// small x has all the digits that a product below 2^-126 would lose; a small one behind it.
static inline float scaled(float x, float high, float low, int exponent) {
  const float near = exponent > 0 ? ldexp(x, exponent) : x;
  // The rest, low, must not touch an infinity: ∞·0 is not a number.
  const float product = isfinite(near) ? fma(near, high, near * low) : near * high;
  return exponent < 0 ? ldexp(product, exponent) : product;
}
