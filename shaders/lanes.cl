// Vectors of LANES floats, which fill a register: their type, and how they are read and stored wherever they lie. No kernel
// and no grid of its own.

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define Lanes JOIN(float, LANES)
#define LOAD JOIN(vload, LANES)

// A vector to the i-th place of numbers. Not vstore, which PoCL cuts into quarters.
typedef Lanes Packed __attribute__((aligned(4)));
static inline __attribute__((overloadable)) void STORE(const Lanes x, size_t i, float* to) { ((Packed*)to)[i] = x; }
static inline __attribute__((overloadable)) void STORE(const Lanes x, size_t i, __global float* to) {
  ((__global Packed*)to)[i] = x;
}
