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

}  // namespace attn
