// What flows back through products and projections.
#include "core/operations/family.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

// The gradient before what is done behind a product; none where that needs a number which was not kept.
std::optional<BackwardValue> before_after(Backward& back, AfterProduct after) {
  switch (after) {
    case AfterProduct::nothing:
    case AfterProduct::residual:
      return kGradient;
    case AfterProduct::relu:
      return back.add(WeightsGradient{WeightsRule::rectified}, {kResult, kGradient}, "%g where %y > 0");
    case AfterProduct::gelu:
    case AfterProduct::gelu_tanh:
      return std::nullopt;
  }
  return std::nullopt;
}
constexpr const char* kNotKept = "the product before its GELU is not kept: give the GELU a stage of its own";

// A factor that fewer matrices hold gets the sum over the heads that share them.
BackwardValue of_shared(Backward& back, BackwardValue each, std::size_t group, const std::string& formula) {
  return group == 1 ? each : back.add(HeadSum{group}, {each}, "Σ over heads of " + formula);
}

}  // namespace

Backward backward(const MatMul& op, Shapes inputs, const Shape& result) {
  if (op.transpose_left) return no_way_back(kIsGradient);
  Backward back;
  const auto g = before_after(back, op.after);
  if (!g) return no_way_back(kNotKept);
  const Shape &a = inputs[0], &b = inputs[1];
  const std::string left = op.transpose_right ? "%g·%1" : "%g·%1ᵀ";
  const BackwardValue of_a = back.add(MatMul{.transpose_right = !op.transpose_right, .in_float = op.in_float},
                                      {*g, input_of(1)}, left);
  back.flow(0, of_shared(back, of_a, result.stack / a.stack, left));
  const MatMul columns{.transpose_left = true, .summed = result.stack / b.stack, .in_float = op.in_float};
  back.flow(1, op.transpose_right ? back.add(columns, {*g, input_of(0)}, "%gᵀ·%0")
                                  : back.add(columns, {input_of(0), *g}, "%0ᵀ·%g"));
  const ProductInputs others(op.after, inputs.size());
  if (others.bias) back.flow(others.bias, back.add(ColumnSum{}, {*g}, "Σ over rows of %g"));
  if (others.residual) back.flow(others.residual, kGradient);
  return back;
}

Backward backward(const Project& op, Shapes inputs, const Shape&) {
  Backward back;
  auto g = before_after(back, op.after);
  if (!g) return no_way_back(kNotKept);
  if (op.heads > 1) g = back.add(Concat{}, {*g}, "%g, heads side by side");
  back.flow(0, back.add(MatMul{.transpose_right = true}, {*g, input_of(1)}, "%g·%1ᵀ"));
  back.flow(1, back.add(MatMul{.transpose_left = true}, {input_of(0), *g}, "%0ᵀ·%g"));
  const ProductInputs others(op.after, inputs.size());
  if (others.bias) back.flow(others.bias, back.add(ColumnSum{}, {*g}, "Σ over rows of %g"));
  if (others.residual) back.flow(others.residual, kGradient);
  return back;
}

}  // namespace attn
