// What a key counts at u, its distance from the query in widths: kernel_value of core/operations/kernel.cpp, for one
// number and for a vector of WIDTH (sum.cl, which stands before it). Functions of one item, without kernels or grid of
// their own, for kernel.cl and regression.cl, which include it.

// In the order of core/operations/kernel.h.
#define GAUSSIAN 0
#define BOXCAR 1
#define CONSTANT 2
#define TRIANGULAR 3
#define EPANECHNIKOV 4
#define BIWEIGHT 5
#define TRICUBE 6
#define COSINE 7
#define DOT 8

// Factors instead of 1 − u² and 1 − |u|³, which lose their digits towards the edge.
#define KAPPA(NUMBER, NAME)                                               \
  static inline NUMBER NAME(const uint kernel_kind, const NUMBER u) {     \
    const NUMBER a = fabs(u), left = 1.0f - a;                            \
    NUMBER y = (NUMBER)(1);                                               \
    switch (kernel_kind) {                                                \
      case GAUSSIAN:                                                      \
        return exp(-0.5f * u * u);                                        \
      case CONSTANT:                                                      \
        return y;                                                         \
      case TRIANGULAR:                                                    \
        y = left;                                                         \
        break;                                                            \
      case EPANECHNIKOV:                                                  \
        y = 0.75f * left * (1.0f + a);                                    \
        break;                                                            \
      case BIWEIGHT:                                                      \
        y = left * (1.0f + a);                                            \
        y *= y;                                                           \
        break;                                                            \
      case TRICUBE:                                                       \
        y = left * (1.0f + a + a * a);                                    \
        y *= y * y;                                                       \
        break;                                                            \
      case COSINE:                                                        \
        y = sinpi(0.5f * left);                                           \
        break;                                                            \
    }                                                                     \
    y = select((NUMBER)(0), y, a <= 1.0f);                                \
    return select(y, u, isnan(u));                                        \
  }

KAPPA(float, kappa)
KAPPA(FLOATS, kappas)

// The type that distances are formed in: of floats that differ by less than their own digits.
#if DOUBLE_SUMS
#define REAL double
#define TINY 1e-150
#else
#define REAL float
#define TINY 1e-30f
#endif

// (query − key) ÷ width, rounded once; without double the quotient is corrected by what the subtraction and the
// division lost.
static inline float distance_of(const float query, const float key, const float width) {
#if DOUBLE_SUMS
  const double distance = (double)query - (double)key;
  return distance == 0 ? 0.0f : (float)(distance / (double)width);
#else
  const float distance = query - key;
  if (distance == 0.0f) return 0.0f;
  const float part = query - distance;
  const float lost = (query - (distance + part)) + (part - key);
  const float quotient = distance / width;
  const float rest = fma(-quotient, width, distance) + lost;
  return isfinite(quotient) && width != 0.0f ? quotient + rest / width : quotient;
#endif
}
