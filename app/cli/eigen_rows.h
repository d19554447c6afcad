// Some rows of attention of one head by Eigen, in float: what the benchmark compares with. Compiled once for
// each set of vector instructions, in a module of its own that is built when
// the benchmark is wanted (app/CMakeLists.txt).
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

// For the processor at hand.
struct EigenLevel {
  void (*attend)(const EigenRows&);
  const char* instructions;  // "AVX-512", "AVX2 and FMA", "the processor's base"
};

}  // namespace attn::bench

// What the module exports, and under which name.
extern "C" attn::bench::EigenLevel attention_lab_eigen_level();
inline constexpr const char* kEigenModule = "libeigen_rows.so";
inline constexpr const char* kEigenLevel = "attention_lab_eigen_level";
