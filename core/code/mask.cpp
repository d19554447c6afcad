// Masks: the rules that are usually written as comparisons, the others as what they say of each pair.
#include "core/operations/mask.h"

#include "core/code/family.h"

namespace attn::code {
namespace {

// Of a mask of one rule: none where that has no short formula.
std::optional<Formula> of_one_rule(const Mask& op) {
  const RowRange made = op.rows();
  const auto first = static_cast<std::ptrdiff_t>(made.first);
  const Formula keys = columns_counted(op.keys);
  if (const auto diagonal = causal_diagonal(op))
    return binary(Fn::above, keys, places(made.count, *diagonal + first));
  if (op.rules.size() != 1 || op.rules[0].negated) return std::nullopt;
  if (const auto* window = std::get_if<WindowRule>(&op.rules[0].rule))
    return binary(Fn::above, of_each(Fn::size, places(made.count, op.first + first) - keys),
                  static_cast<double>(window->width));
  const auto* padding = std::get_if<PaddingRule>(&op.rules[0].rule);
  if (padding && padding->lengths.size() == 1)
    return binary(Fn::both, binary(Fn::at_least, keys, static_cast<double>(padding->lengths[0])),
                  binary(Fn::at_least, places(made.count), 0));
  return std::nullopt;
}

Formula of_rules(const Mask& op) {
  if (const auto formula = of_one_rule(op)) return *formula;
  const RowRange made = op.rows();
  std::vector<double> hidden;
  for (std::size_t row = made.first; row < made.first + made.count; ++row) {
    const std::vector<char> masked = MaskRow(op.rules, op.place(row)).masked();
    hidden.insert(hidden.end(), masked.begin(), masked.end());
  }
  return binary(Fn::differs, constant("hidden", {1, made.count, op.keys}, hidden), 0);
}

}  // namespace

Formula formula(const Mask& op, const Given& in) {
  if (in.empty()) return of_rules(op);
  const Formula own = binary(Fn::differs, in[0], 0);
  return op.rules.empty() ? own : binary(Fn::either, own, of_rules(op));
}

Formula formula(const MaskFill& op, const Given& in) {
  const Formula hidden = binary(Fn::differs, shared_by(in[1], in[0]->shape.stack), 0);
  return op.adds() ? in[0] + where(hidden, op.value(), 0) : where(hidden, op.value(), in[0]);
}

template struct CodeOf<Mask>;
template struct CodeOf<MaskFill>;

}  // namespace attn::code
