// Chooses the build of Eigen's attention and product with the widest vectors that this processor has.
#include "app/cli/eigen_rows.h"

attn::bench::EigenLevel attention_lab_eigen_level() {
  using namespace attn::bench;
#ifdef EIGEN_ROWS_X86
  const auto has = [](bool yes) { return yes; };
  __builtin_cpu_init();
  if (has(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
          __builtin_cpu_supports("avx512cd")))
    return {v4::attend, v4::multiply, "AVX-512"};
  if (has(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")))
    return {v3::attend, v3::multiply, "AVX2 and FMA"};
#endif
  return {base::attend, base::multiply, "the processor's base"};
}
