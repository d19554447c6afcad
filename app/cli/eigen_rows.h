// Some rows of attention of one head by Eigen, in float: what the benchmark compares with. Compiled once for
// each set of vector instructions (app/CMakeLists.txt).
#pragma once

#include <cstddef>

namespace attn::bench {

// Q, K, V, output: n×d_k, row by row. `weights`: room for (end − first)·n numbers.
struct EigenRows {
  const float *q, *k, *v;
  float *output, *weights;
  std::size_t n, d_k, first, end;
};

namespace base {
void attend(const EigenRows& rows);
}
namespace v3 {  // AVX2 and FMA
void attend(const EigenRows& rows);
}
namespace v4 {  // AVX-512
void attend(const EigenRows& rows);
}

}  // namespace attn::bench
