// Matrix products: of two stages (scores, head output) and of a stage with a projection (Q, K, V, output).
#pragma once

#include "core/operations/traits.h"

namespace attn {

// C[s] = A[s']·B[s''], or A[s']·B[s'']ᵀ. A: S_a×n×k; B: S_b×k×m (S_b×m×k when transposed); C: S×n×m with
// S = max(S_a, S_b). The smaller stack divides the larger and is shared by consecutive groups: matrix s of
// the result reads matrix floor(s / (S / S_b)). That is the rule of grouped-query attention.
struct MatMul {
  static constexpr const char* kName = "matmul";
  bool transpose_right = false;
  bool operator==(const MatMul&) const = default;
};

// Y[r] = X·W[:, r·c … (r+1)·c) + b[r·c … (r+1)·c). X: 1×n×d; W: 1×d×(heads·c); b (optional): 1×1×(heads·c);
// Y: heads×n×c. Head r owns consecutive columns, as reshape(n, heads, c) followed by a transpose does.
struct Project {
  static constexpr const char* kName = "project";
  std::size_t heads = 1;
  bool operator==(const Project&) const = default;
};

// Other families' operations have the same.
Shape result_shape(const MatMul& op, Shapes inputs);
Regions reach(const MatMul& op, Shapes inputs, std::size_t input, Cell cell);

// Which matrix of a stack of `stack` feeds matrix `s` of a result of `result_stack` matrices.
inline std::size_t shared_matrix(std::size_t s, std::size_t stack, std::size_t result_stack) {
  return s / (result_stack / stack);
}

}  // namespace attn
