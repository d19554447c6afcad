// From the variant to the family of its alternative.
#include "core/operations/backward.h"

namespace attn {

Operation::Operation() = default;
Operation::Operation(const Operation& other) = default;
Operation::Operation(Operation&& other) noexcept = default;
Operation& Operation::operator=(const Operation& other) = default;
Operation& Operation::operator=(Operation&& other) noexcept = default;
Operation::~Operation() = default;

const char* name(const Operation& operation) {
  return std::visit([](const auto& op) { return op.kName; }, operation);
}

Shape result_shape(const Operation& operation, Shapes inputs) {
  return std::visit([&]<class Op>(const Op& op) { return Family<Op>::result_shape(op, inputs); }, operation);
}

Explanation explain(const Operation& operation, Inputs inputs, Cell cell) {
  return std::visit([&]<class Op>(const Op& op) { return Family<Op>::explain(op, inputs, cell); }, operation);
}

Regions reach(const Operation& operation, Shapes inputs, std::size_t input, Cell cell) {
  return std::visit([&]<class Op>(const Op& op) { return Family<Op>::reach(op, inputs, input, cell); },
                    operation);
}

Traits traits(const Operation& operation, Shapes inputs, const Shape& result) {
  return std::visit([&]<class Op>(const Op& op) { return Family<Op>::traits(op, inputs, result); },
                    operation);
}

std::optional<CutOperation> cut(const Operation& operation, Shapes inputs, const RowRange& rows) {
  return std::visit(
      [&]<class Op>(Op op) -> std::optional<CutOperation> {
        auto reads = Family<Op>::cut(op, inputs, rows);
        if (!reads) return std::nullopt;
        return CutOperation{std::move(op), std::move(*reads)};
      },
      static_cast<const OperationVariant&>(operation));
}

Backward backward(const Operation& operation, Shapes inputs, const Shape& result) {
  return std::visit([&]<class Op>(const Op& op) { return Family<Op>::backward(op, inputs, result); },
                    static_cast<const OperationVariant&>(operation));
}

Tensor ones_of(const Shape& shape) {
  return {shape, std::vector<float>(shape.size(), 1)};
}

BackwardValue spread_over_columns(Backward& back, std::size_t columns) {
  const BackwardValue ones = back.add(Source{ones_of({1, 1, columns})}, {}, "ones");
  return back.add(MatMul{}, {kGradient, ones}, "%g for every key");
}

MaskOrigin mask_origin(const Operation& operation, Inputs inputs, Cell cell) {
  return std::visit([&]<class Op>(const Op& op) { return Family<Op>::mask_origin(op, inputs, cell); },
                    operation);
}

double size_of_terms(const Operation& operation, Inputs inputs) {
  return std::visit([&]<class Op>(const Op& op) { return Family<Op>::size_of_terms(op, inputs); }, operation);
}

const Tensor* given_tensor(const Operation& operation) {
  const auto* source = std::get_if<Source>(&operation);
  return source ? &source->tensor : nullptr;
}

bool is_typed(const Operation& operation, Cell cell) {
  const auto* typed = std::get_if<Override>(&operation);
  return typed && is_typed(*typed, cell);
}

std::optional<Slopes> slopes(const Operation& operation) {
  const auto* bias = std::get_if<DistanceBias>(&operation);
  return bias ? std::optional(slopes(*bias)) : std::nullopt;
}

std::optional<long> causal_diagonal(const Operation& operation) {
  const auto* mask = std::get_if<Mask>(&operation);
  return mask ? causal_diagonal(*mask) : std::nullopt;
}

}  // namespace attn
