// From the variant to the family of its alternative: the families' headers declare these functions for their
// structs.
#include "core/operation.h"

namespace attn {
namespace {

// The overload for exactly this alternative. A call would do, but one that finds no overload would turn the
// alternative back into an Operation and come here again: this does not compile.
template <class Op>
constexpr auto kResultShape = static_cast<Shape (*)(const Op&, Shapes)>(&result_shape);
template <class Op>
constexpr auto kExplain = static_cast<Explanation (*)(const Op&, Inputs, Cell)>(&explain);
template <class Op>
constexpr auto kReach = static_cast<Regions (*)(const Op&, Shapes, std::size_t, Cell)>(&reach);
template <class Op>
constexpr auto kTraits = static_cast<Traits (*)(const Op&, Shapes, const Shape&)>(&traits);

// What a family says of some of its operations only.
template <class Op>
concept Hides = requires {
  static_cast<Hiding (*)(const Op&, Inputs, Cell)>(&hiding);
};
template <class Op>
concept HasTerms = requires {
  static_cast<double (*)(const Op&, Inputs)>(&size_of_terms);
};

}  // namespace

const char* name(const Operation& operation) {
  return std::visit([](const auto& op) { return op.kName; }, operation);
}

Shape result_shape(const Operation& operation, Shapes inputs) {
  return std::visit([&]<class Op>(const Op& op) { return kResultShape<Op>(op, inputs); }, operation);
}

Explanation explain(const Operation& operation, Inputs inputs, Cell cell) {
  return std::visit([&]<class Op>(const Op& op) { return kExplain<Op>(op, inputs, cell); }, operation);
}

Regions reach(const Operation& operation, Shapes inputs, std::size_t input, Cell cell) {
  return std::visit([&]<class Op>(const Op& op) { return kReach<Op>(op, inputs, input, cell); }, operation);
}

Traits traits(const Operation& operation, Shapes inputs, const Shape& result) {
  return std::visit([&]<class Op>(const Op& op) { return kTraits<Op>(op, inputs, result); }, operation);
}

Hiding hiding(const Operation& operation, Inputs inputs, Cell cell) {
  return std::visit(
      [&]<class Op>(const Op& op) {
        if constexpr (Hides<Op>) return hiding(op, inputs, cell);
        return Hiding();
      },
      operation);
}

double size_of_terms(const Operation& operation, Inputs inputs) {
  return std::visit(
      [&]<class Op>(const Op& op) {
        if constexpr (HasTerms<Op>) return size_of_terms(op, inputs);
        return 0.0;
      },
      operation);
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
