// The larger of two numbers, for softmax.cl and weighting.cl, which include it.

// A NaN, once met, stays: max() and fmax() may drop it.
static inline float larger(float a, float b) { return b > a || isnan(b) ? b : a; }
