// Matrix products and projections, with what becomes of their numbers.
#include "core/operations/matmul.h"

#include "core/code/activation.h"
#include "core/code/family.h"

namespace attn::code {
namespace {

Formula finished(AfterProduct after, Formula x, const Given& in, std::size_t heads) {
  const ProductInputs at(after, in.size());
  if (at.bias) x = x + (heads == 1 ? in[at.bias] : split_heads(in[at.bias], heads));
  switch (after) {
    case AfterProduct::nothing:
      break;
    case AfterProduct::relu:
      return activated(ActivationKind::relu, x);
    case AfterProduct::gelu:
      return activated(ActivationKind::gelu, x);
    case AfterProduct::gelu_tanh:
      return activated(ActivationKind::gelu_tanh, x);
    case AfterProduct::residual:
      return x + in[at.residual];
  }
  return x;
}

}  // namespace

Formula formula(const MatMul& op, const Given& in) {
  // Rows of heads that are added up are one long matrix.
  const auto joined = [&](const Formula& x) {
    const Shape s = x->shape;
    return reshaped(x, {s.stack / op.summed, s.rows * op.summed, s.columns});
  };
  Formula a = joined(in[0]), b = joined(in[1]);
  const std::size_t stack = std::max(a->shape.stack, b->shape.stack);
  a = shared_by(op.transpose_left ? transposed(a) : a, stack);
  b = shared_by(op.transpose_right ? transposed(b) : b, stack);
  return finished(op.after, product(a, b), in, 1);
}

Formula formula(const Project& op, const Given& in) {
  return finished(op.after, split_heads(product(in[0], in[1]), op.heads), in, op.heads);
}

template struct CodeOf<MatMul>;
template struct CodeOf<Project>;

}  // namespace attn::code
