// A float times a double factor, rounded once, without double arithmetic. Put in front of the programs that scale.

// x·(high + low)·2^exponent. The host splits the factor so that exponent is 0 unless the factor is outside 2^±100.
static inline float scaled(float x, float high, float low, int exponent) {
  const float near = exponent > 0 ? ldexp(x, exponent) : x;
  // The rest, low, must not touch an infinity: ∞·0 is not a number.
  const float product = isfinite(near) ? fma(near, high, near * low) : near * high;
  return exponent < 0 ? ldexp(product, exponent) : product;
}
