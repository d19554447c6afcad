// GELU and SiLU of one number, and the slopes of activations, for activation.cl and product.cl, which include it.
// Matches activated and activation_slope in core/operations/activation.cpp.

// σ(x); exp of what is above 0 would leave the range of float, and with it σ of what is far below.
static inline float logistic(float x) {
  const float e = exp(-fabs(x)), whole = 1 / (1 + e);
  return x < 0 ? e * whole : whole;
}

// Φ(x), for |x| up to 15: below −15 it is less than any float. Φ of −|x| is ½·exp(−x²/2)·t·exp(a polynomial of t), off by
// less than 1.2e-7 of itself (Press et al. 1992, section 6.2: erfcc); what x²/2 loses when it is rounded goes with the
// polynomial.
static inline float normal_share(float x) {
  const float half_square = 0.5f * x * x, lost = fma(0.5f * x, x, -half_square);
  const float t = 1 / (1 + 0.35355339f * fabs(x));
  float p = 0.17087277f;
  p = fma(p, t, -0.82215223f);
  p = fma(p, t, 1.48851587f);
  p = fma(p, t, -1.13520398f);
  p = fma(p, t, 0.27886807f);
  p = fma(p, t, -0.18628806f);
  p = fma(p, t, 0.09678418f);
  p = fma(p, t, 0.37409196f);
  p = fma(p, t, 1.00002368f);
  p = fma(p, t, -1.26551223f) - lost;
  const float beyond = 0.5f * t * exp(p) * exp(-half_square);
  return x < 0 ? beyond : 1 - beyond;
}

static inline float gelu(float x) { return x < -15 ? 0 : x > 15 ? x : isnan(x) ? x : x * normal_share(x); }

// What GELU's tanh form takes σ of: ½(1 + tanh u) is σ(2u).
static inline float twice_inner(float x) { return 1.5957691f * (x + 0.044715f * x * x * x); }

// By the root of the exponential, multiplied last: so what is left of x far below 0 is rounded once, subnormal or not.
static inline float gelu_tanh(float x) {
  const float root = exp(-0.5f * fabs(twice_inner(x))), whole = 1 / (1 + root * root);
  return x == -INFINITY ? 0 : x < 0 ? x * whole * root * root : x * whole;
}

static inline float silu(float x) { return x == -INFINITY ? 0 : x * logistic(x); }

// Beyond ±15, SiLU's beyond ±110, no float is between the slopes and 0 or 1.
static inline float gelu_slope(float x) {
  if (fabs(x) > 15) return x > 0 ? 1 : 0;
  return fma(x, exp(-0.5f * x * x) * 0.39894228f, normal_share(x));
}

// With s = σ(2u): s + x·2s(1 − s)·u′.
static inline float gelu_tanh_slope(float x) {
  if (fabs(x) > 15) return x > 0 ? 1 : 0;
  const float twice = twice_inner(x), s = logistic(twice);
  return fma(x * s * logistic(-twice), 1.5957691f * (1 + 0.134145f * x * x), s);
}

static inline float silu_slope(float x) {
  if (fabs(x) > 110) return x > 0 ? 1 : 0;
  return logistic(x) * fma(x, logistic(-x), 1.0f);
}
