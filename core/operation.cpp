// From the variant to the family of its alternative, by overload: the families' headers declare these
// functions for their structs.
#include "core/operation.h"

namespace attn {

const char* name(const Operation& operation) {
  return std::visit([](const auto& op) { return op.kName; }, operation);
}

Shape result_shape(const Operation& operation, Shapes inputs) {
  return std::visit([&](const auto& op) { return result_shape(op, inputs); }, operation);
}

Explanation explain(const Operation& operation, Inputs inputs, Cell cell) {
  return std::visit([&](const auto& op) { return explain(op, inputs, cell); }, operation);
}

Region reach(const Operation& operation, Shapes inputs, std::size_t input, Cell cell) {
  return std::visit([&](const auto& op) { return reach(op, inputs, input, cell); }, operation);
}

}  // namespace attn
