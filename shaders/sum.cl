// Sums that keep their digits: the accepted distance to the reference must hold where terms cancel, which a plain
// float sum misses. Functions of one item, without kernels or grid of their own, for matmul.cl and
// softmax.cl, which include it. `Sum` is one sum, `Sums` a vector of WIDTH of them.
//
// In all kernels a struct passed by value is const: rusticl 22.3 doesn't copy it, and what is written to it changes the
// caller's.
//
// Options, fixed for a device: DOUBLE_SUMS 1 accumulates in double (cl_khr_fp64); 0 in two floats, the value and
// its error, by two-product and two-sum (Ogita, Rump, Oishi 2005, "Accurate sum and dot product": as if in twice
// the precision). WIDTH: lanes of a vector register in the type that accumulates.

// A fused s = a*b + c would make the errors below those of another sum.
#pragma OPENCL FP_CONTRACT OFF

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define FLOATS JOIN(float, WIDTH)
#define LOAD JOIN(vload, WIDTH)
#define STORE JOIN(vstore, WIDTH)

#if DOUBLE_SUMS

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define DOUBLES JOIN(double, WIDTH)
#define WIDEN JOIN(convert_double, WIDTH)
#define NARROW JOIN(convert_float, WIDTH)

typedef double Sum;
typedef DOUBLES Sums;
// Factors as a sum takes them, so that they are widened once for many products.
typedef double Term;
typedef DOUBLES Terms;
#define AS_TERMS WIDEN

static inline Sum sum_zero(void) { return 0; }
static inline Sums sums_zero(void) { return (DOUBLES)(0); }
static inline Sum sum_product(const Sum s, float a, float b) { return fma((double)a, (double)b, s); }
static inline Sum sum_terms(const Sum s, const Term a, const Term b) { return fma(a, b, s); }
static inline Sums sums_product(const Sums s, FLOATS a, FLOATS b) { return fma(WIDEN(a), WIDEN(b), s); }
static inline Sums sums_terms(const Sums s, const Terms a, const Terms b) { return fma(a, b, s); }
static inline Sum sum_join(const Sum s, const Sum t) { return s + t; }
static inline Sums sums_join(const Sums s, const Sums t) { return s + t; }
static inline float sum_value(const Sum s) { return (float)s; }
static inline FLOATS sums_value(const Sums s) { return NARROW(s); }
static inline Sum sums_lane(const Sums* s, uint lane) { return ((const double*)s)[lane]; }

#else

typedef struct {
  float value, error;
} Sum;
typedef struct {
  FLOATS value, error;
} Sums;
typedef float Term;
typedef FLOATS Terms;
#define AS_TERMS

static inline Sum sum_zero(void) {
  const Sum zero = {0, 0};
  return zero;
}

static inline Sums sums_zero(void) {
  const Sums zero = {(FLOATS)(0), (FLOATS)(0)};
  return zero;
}

// The order of these operations is the algorithm (Knuth's two-sum, which asks nothing about sizes):
// rearranged, the lost parts come out as 0.
static inline Sum sum_product(const Sum s, float a, float b) {
  const float p = a * b, lost_product = fma(a, b, -p);
  const float value = s.value + p, part = value - s.value;
  const float lost_sum = (s.value - (value - part)) + (p - part);
  const Sum next = {value, s.error + (lost_product + lost_sum)};
  return next;
}

static inline Sums sums_product(const Sums s, FLOATS a, FLOATS b) {
  const FLOATS p = a * b, lost_product = fma(a, b, -p);
  const FLOATS value = s.value + p, part = value - s.value;
  const FLOATS lost_sum = (s.value - (value - part)) + (p - part);
  const Sums next = {value, s.error + (lost_product + lost_sum)};
  return next;
}

static inline Sum sum_terms(const Sum s, const Term a, const Term b) { return sum_product(s, a, b); }
static inline Sums sums_terms(const Sums s, const Terms a, const Terms b) { return sums_product(s, a, b); }

static inline Sum sum_join(const Sum s, const Sum t) {
  const Sum sum = sum_product(s, t.value, 1);
  const Sum joined = {sum.value, sum.error + t.error};
  return joined;
}

static inline Sums sums_join(const Sums s, const Sums t) {
  const Sums sum = sums_product(s, t.value, (FLOATS)(1));
  const Sums joined = {sum.value, sum.error + t.error};
  return joined;
}

// Not a number when an error term met an infinity, or a term left the range of float: see plain_sum.
static inline float sum_value(const Sum s) { return s.value + s.error; }
static inline FLOATS sums_value(const Sums s) { return s.value + s.error; }

static inline Sum sums_lane(const Sums* s, uint lane) {
  const Sum one = {((const float*)&s->value)[lane], ((const float*)&s->error)[lane]};
  return one;
}

#endif

// All lanes as one.
static inline Sum sums_total(const Sums s) {
  Sum total = sum_zero();
  for (uint lane = 0; lane < WIDTH; ++lane) total = sum_join(total, sums_lane(&s, lane));
  return total;
}

// The numbers x[first …] below x[count], then zeros: a vector at an edge.
static inline FLOATS load_some(__global const float* x, uint first, uint count) {
  float lanes[WIDTH];
  for (uint lane = 0; lane < WIDTH; ++lane) lanes[lane] = first + lane < count ? x[first + lane] : 0.0f;
  return LOAD(0, lanes);
}

// The sum of a[k]·b[k] (of a[k], without b) where the careful one is not finite: the infinity or NaN that the terms
// make, or, from terms beyond the range of float, the plain sum taken at a scale where nothing overflows.
static inline float plain_sum(__global const float* a, size_t a_step, __global const float* b, size_t b_step,
                              uint count) {
  const float down = 0x1p-80f;  // of each factor: the largest product, 2^256, becomes 2^96
  float sum = 0;
  for (uint k = 0; k < count; ++k) {
    const float x = a[k * a_step], w = b ? b[k * b_step] : 1.0f;
    sum += isfinite(x) && isfinite(w) ? (x * down) * (w * down) : x * w;
  }
  return ldexp(sum, 160);
}
