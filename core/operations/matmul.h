// Matrix products: of two stages (scores, head output) and of a stage with a projection (Q, K, V, output).
#pragma once

#include "core/operations/traits.h"

namespace attn {

// What becomes of a product's number x, its bias added, before it is stored. GELU is x·Φ(x), 0 of −∞, by the
// error function or in its tanh form: ½x·(1 + tanh(√(2/π)·(x + 0.044715x³))).
enum class AfterProduct { nothing, relu, gelu, gelu_tanh, residual };

// C[s] = A[s']·B[s''] + b. A: S_a×n×k (S_a×k×n when transposed); B: S_b×k×m (S_b×m×k when transposed); b
// (optional): 1×1×m; C: S×n×m with S = max(S_a, S_b). The smaller stack divides the larger and is shared by
// consecutive groups: matrix s of the result reads matrix floor(s / (S / S_b)). That is the rule of
// grouped-query attention. The last input is what AfterProduct::residual adds, of C's shape.
struct MatMul {
  static constexpr const char* kName = "matmul";
  bool transpose_right = false;
  bool transpose_left = false;
  // Of Aᵀ·B: products of so many consecutive heads are added up, as they flow back to keys and values that
  // these heads share. Their rows are one long matrix, in A and in B.
  std::size_t summed = 1;
  // Sums of kManyTerms and more may be taken in float, block by block: where A's rows are weights the terms
  // are no larger than the result can be, and what is rounded is nothing beside it.
  bool in_blocks = false;
  // The same of sums of any length, for models that learn: what is rounded is less than what batches differ
  // by.
  bool in_float = false;
  AfterProduct after = AfterProduct::nothing;
  bool operator==(const MatMul&) const = default;
  static constexpr std::size_t kManyTerms = 256;
};

// Y[r] = X·W[:, r·c … (r+1)·c) + b[r·c … (r+1)·c). X: 1×n×d; W: 1×d×(heads·c); b (optional): 1×1×(heads·c);
// Y: heads×n×c. Head r owns consecutive columns, as reshape(n, heads, c) followed by a transpose does. The
// last input is what AfterProduct::residual adds, of Y's shape. Sums of MatMul::kManyTerms and more may be
// taken in float, block by block.
struct Project {
  static constexpr const char* kName = "project";
  std::size_t heads = 1;
  AfterProduct after = AfterProduct::nothing;
  bool operator==(const Project&) const = default;
};

// Of one number: x and what is added to it.
double after_product(AfterProduct after, double x, double residual);

// The factors as they are multiplied, S×n×k and S×k×m.
Shape left_factor(const MatMul& op, const Shape& a);
Shape right_factor(const MatMul& op, const Shape& b);

// Which of a product's inputs they are; 0: there is none.
struct ProductInputs {
  ProductInputs(AfterProduct after, std::size_t inputs);
  std::size_t bias = 0, residual = 0;
};

// Other families' operations have the same.
Shape result_shape(const MatMul& op, Shapes inputs);
Regions reach(const MatMul& op, Shapes inputs, std::size_t input, Cell cell);

// Which matrix of a stack of `stack` feeds matrix `s` of a result of `result_stack` matrices.
inline std::size_t shared_matrix(std::size_t s, std::size_t stack, std::size_t result_stack) {
  return s / (result_stack / stack);
}

}  // namespace attn
