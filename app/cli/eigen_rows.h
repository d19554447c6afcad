// Some rows of attention of one head, and of a product, by Eigen, in float: what the benchmark compares with.
// Compiled once for each set of vector instructions, in a module of its own that is built when the benchmark
// is wanted (app/CMakeLists.txt).
#pragma once

#include <cstddef>

namespace attn::bench {

// Q, K, V, output: n×d_k, row by row. `weights`: room for (end − first)·n numbers.
struct EigenRows {
  const float *q, *k, *v;
  float *output, *weights;
  std::size_t n, d_k, first, end;
};

// C = A·B, all n×n, row by row: rows from `first` to `end` of A and C.
struct EigenProductRows {
  const float *a, *b;
  float* c;
  std::size_t n, first, end;
};

namespace base {
void attend(const EigenRows& rows);
void multiply(const EigenProductRows& rows);
}  // namespace base
namespace v3 {  // AVX2 and FMA
void attend(const EigenRows& rows);
void multiply(const EigenProductRows& rows);
}  // namespace v3
namespace v4 {  // AVX-512
void attend(const EigenRows& rows);
void multiply(const EigenProductRows& rows);
}  // namespace v4

// For the processor at hand.
struct EigenLevel {
  void (*attend)(const EigenRows&);
  void (*multiply)(const EigenProductRows&);
  const char* instructions;  // "AVX-512", "AVX2 and FMA", "the processor's base"
};

}  // namespace attn::bench

// What the module exports, and under which name.
extern "C" attn::bench::EigenLevel attention_lab_eigen_level();
inline constexpr const char* kEigenModule = "libeigen_rows.so";
inline constexpr const char* kEigenLevel = "attention_lab_eigen_level";
